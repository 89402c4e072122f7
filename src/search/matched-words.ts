import type { Collection, Entry } from './collection.ts';
import type { Thesaurus } from './thesaurus.ts';
import { chunksOf, wordsOf } from './words.ts';

/** Words of a query beyond these are not explained. */
const MAX_WORDS = 100;

/** The words of a query that a tool answers, as typed, each once: itself or by a word for the same thing. */
export function matchedWords(
  query: string,
  { analysis }: Entry,
  { analyser }: Collection,
  thesaurus: Thesaurus,
): string[] {
  const held = new Set(analysis.terms);
  const words = new Set(chunksOf(query).flatMap(wordsOf).slice(0, MAX_WORDS));
  return [...words].filter((word) => {
    const { terms, extra } = analyser.termsOf(word);
    return [...terms, ...extra].some(
      (term) => held.has(term) || thesaurus.relativesOf(term).some((one) => held.has(one)),
    );
  });
}
