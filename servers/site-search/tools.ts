import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Site } from './site.ts';
import { createTrackSchema, describeTracks } from './track-schema.ts';

/** Enough to answer from, few enough to read: about a thousand tokens in all. */
export const PASSAGES_PER_ANSWER = 5;
/** A question, not a document; it also bounds the work of one search. */
const MAX_QUERY_CHARS = 500;

const READS_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

export function registerTools(server: McpServer, site: Site): void {
  registerSearchSite(server, site);
  registerListChapters(server, site);
}

const hitShape = {
  track: z.string(),
  chapter_id: z.string(),
  title: z.string().describe('Title of the chapter.'),
  heading: z.string().describe('Section that the passage stands in.'),
  uri: z.string().describe('The source: read this resource for the whole chapter, and cite it.'),
  passage: z.string().describe('Markdown, as it stands in the chapter.'),
  score: z.number().describe('Relevance, comparable within this answer only.'),
};

function registerSearchSite(server: McpServer, { corpus, index }: Site): void {
  server.registerTool(
    'search_site',
    {
      title: 'Search the site',
      description:
        `Full-text search over ${corpus.chapters.length} chapters. Returns the ${PASSAGES_PER_ANSWER} best passages, ` +
        'best first, each with the chapter and section it comes from. An empty list means that no word of ' +
        'the query occurs. Use it to answer a question; use list_chapters to see what a track covers.',
      inputSchema: z.strictObject({
        query: z
          .string()
          .trim()
          .min(1, 'The query is empty; give it a few words.')
          .max(MAX_QUERY_CHARS)
          .describe('What to look for: a question or a few keywords. Matching is by word.'),
        track: createTrackSchema(corpus.tracks)
          .optional()
          .describe(`Search this track only: ${describeTracks(corpus.tracks)}. Leave it out to search all.`),
      }),
      outputSchema: z.object({ result: z.array(z.object(hitShape)) }),
      annotations: READS_ONLY,
    },
    ({ query, track }) =>
      listResult(
        index.search(query, { track, limit: PASSAGES_PER_ANSWER }).map(({ chapter, passage, score }) => ({
          track: chapter.track,
          chapter_id: chapter.id,
          title: chapter.title,
          heading: passage.heading,
          uri: chapter.uri,
          passage: passage.text,
          score,
        })),
      ),
  );
}

const chapterShape = {
  track: z.string(),
  chapter_id: z.string(),
  title: z.string(),
  uri: z.string().describe('Read this resource for the text.'),
  sections: z.array(z.string()).describe('Headings of the chapter, in order.'),
};

function registerListChapters(server: McpServer, { corpus }: Site): void {
  server.registerTool(
    'list_chapters',
    {
      title: 'List the chapters of a track',
      description:
        'Lists every chapter of one track in reading order, with its sections and the URI to read it by. ' +
        'Use it to see what a track covers, or to find a chapter whose name you know roughly.',
      inputSchema: z.strictObject({
        track: createTrackSchema(corpus.tracks).describe(
          `The track to list: ${describeTracks(corpus.tracks)}.`,
        ),
      }),
      outputSchema: z.object({ result: z.array(z.object(chapterShape)) }),
      annotations: READS_ONLY,
    },
    ({ track }) =>
      listResult(
        corpus.chapters
          .filter((chapter) => chapter.track === track)
          .map((chapter) => ({
            track: chapter.track,
            chapter_id: chapter.id,
            title: chapter.title,
            uri: chapter.uri,
            sections: [...chapter.sections],
          })),
      ),
  );
}

/** One text block for each item, for hosts that show text; the same list whole, for those that compute. */
function listResult(items: readonly Record<string, unknown>[]): CallToolResult {
  return {
    content: items.map((item) => ({ type: 'text', text: JSON.stringify(item) })),
    structuredContent: { result: [...items] },
  };
}
