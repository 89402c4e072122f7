import { createGlossary } from './glosses.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { chunksOf, isUnspaced, wordsOf } from './words.ts';

/** The terms of a text, stop words left out. */
export interface Terms {
  /** In order. */
  readonly terms: readonly string[];
  /** Compounds in one piece (`github` for `GitHub`), and English for words of other languages. */
  readonly extra: readonly string[];
}

/** Turns texts into terms; remembers the words it met, because tools repeat them. */
export interface TermReader {
  termsOf(text: string): Terms;
  /** The same, a word or compound at a time. */
  visit(text: string, visitor: (terms: Terms) => void): void;
}

/** Distinct words remembered at a time: more than several thousand tools use. */
const MAX_REMEMBERED = 50_000;
/** Longer runs are keys or data: they do not come twice. */
const MAX_REMEMBERED_CHARS = 64;

export function createTermReader(): TermReader {
  const glossary = createGlossary();
  const remembered = new Map<string, Terms>();

  function read(chunk: string): Terms {
    const words = wordsOf(chunk);
    const terms = words.filter((word) => !STOP_WORDS.has(word)).map(stem);
    if (isUnspaced(chunk)) return { terms, extra: glossary.inRun(chunk).map(stem) };
    const extra = words.flatMap((word) => glossary.ofWord(word).map(stem));
    if (words.length > 1) extra.push(stem(words.join('')));
    return { terms, extra };
  }

  function remember(chunk: string): Terms {
    let known = remembered.get(chunk);
    if (known !== undefined) return known;
    known = read(chunk);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (chunk.length <= MAX_REMEMBERED_CHARS) remembered.set(chunk, known);
    return known;
  }

  function visit(text: string, visitor: (terms: Terms) => void): void {
    for (const chunk of chunksOf(text)) visitor(remember(chunk));
  }

  return {
    visit,
    termsOf(text) {
      const terms: string[] = [];
      const extra: string[] = [];
      visit(text, (known) => {
        terms.push(...known.terms);
        extra.push(...known.extra);
      });
      return { terms, extra };
    },
  };
}
