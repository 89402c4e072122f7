import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Corpus } from './corpus.ts';
import { describeTracks } from './track-schema.ts';

const MIME_TYPE = 'text/markdown';

/** Every chapter is listed, and the template reaches the same chapters with completion for its variables. */
export function registerResources(server: McpServer, corpus: Corpus): void {
  const template = new ResourceTemplate('chapter://{track}/{chapter_id}', {
    list: () => ({
      resources: corpus.chapters.map((chapter) => ({
        uri: chapter.uri,
        name: `${chapter.track}/${chapter.id}`,
        title: chapter.title,
        description: `Sections: ${chapter.sections.join('; ')}.`,
        mimeType: MIME_TYPE,
        size: Buffer.byteLength(chapter.markdown),
      })),
    }),
    complete: {
      track: (typed) => completeTrack(corpus, typed),
      chapter_id: (typed, context) => completeChapter(corpus, typed, context?.arguments?.['track']),
    },
  });
  server.registerResource(
    'chapter',
    template,
    {
      title: 'A chapter of the site',
      description:
        `The whole text of one chapter. The tracks are ${describeTracks(corpus.tracks)}; ` +
        'list_chapters and search_site give chapter ids and complete URIs.',
      mimeType: MIME_TYPE,
    },
    (uri) => {
      const chapter = corpus.byUri.get(uri.href);
      if (chapter === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: chapter.uri, mimeType: MIME_TYPE, text: chapter.markdown }] };
    },
  );
}

function completeTrack(corpus: Corpus, typed: string): string[] {
  return matching(
    corpus.tracks.map((track) => track.id),
    typed,
  );
}

/** Without a track the ids of all tracks are offered, each once. */
function completeChapter(corpus: Corpus, typed: string, track: string | undefined): string[] {
  const chapters = corpus.chapters.filter((chapter) => track === undefined || chapter.track === track);
  return matching([...new Set(chapters.map((chapter) => chapter.id))], typed);
}

/** Ids that start with the text come first, then those that hold it: nobody remembers a chapter's number. */
function matching(ids: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const starts = ids.filter((id) => id.toLowerCase().startsWith(wanted));
  const holds = ids.filter((id) => id.toLowerCase().includes(wanted) && !starts.includes(id));
  return [...starts, ...holds];
}
