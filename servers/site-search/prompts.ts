import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Hit } from './passage-index.ts';
import type { Site } from './site.ts';
import { PASSAGES_PER_ANSWER } from './tools.ts';

/** As for a search, which the prompt runs with the same text. */
const MAX_QUESTION_CHARS = 500;

export function registerPrompts(server: McpServer, { index }: Site): void {
  server.registerPrompt(
    'answer_from_site',
    {
      title: 'Answer from the site',
      description:
        'Asks for an answer to one question from the chapters of this site only, with every claim cited. ' +
        'The best passages are already inside, so that the model can often answer without another call.',
      argsSchema: z.object({
        question: z
          .string()
          .trim()
          .min(1, 'The question is empty.')
          .max(MAX_QUESTION_CHARS)
          .describe('The question to answer, in plain words.'),
      }),
    },
    ({ question }) => ({
      description: 'A question with the passages of the site that fit it best.',
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: writePrompt(question, searchFor(question)) },
        },
      ],
    }),
  );

  function searchFor(question: string): Hit[] {
    return index.search(question, { limit: PASSAGES_PER_ANSWER });
  }
}

function writePrompt(question: string, hits: readonly Hit[]): string {
  const task = [
    'Answer the question below from the chapters of this site only.',
    'After each claim name its source by URI. Where the passages do not settle a point, call search_site with',
    'other words or read the chapter; if the site does not answer the question, say so instead of guessing.',
  ].join('\n');
  return [task, `Question: ${question}`, ...(hits.length > 0 ? hits.map(writeHit) : [NO_HITS])].join('\n\n');
}

const NO_HITS = 'No passage holds any word of the question. Try search_site with other words first.';

function writeHit({ chapter, passage }: Hit, at: number): string {
  const place = passage.heading === '' ? chapter.title : `${chapter.title}, ${passage.heading}`;
  return `Passage ${at + 1}, from ${chapter.uri} (${place}):\n\n${passage.text}`;
}
