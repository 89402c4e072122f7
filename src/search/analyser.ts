import type { SearchDocument } from './document.ts';
import { createGlossary } from './glosses.ts';
import { schemaText } from './schema-text.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { chunksOf, isUnspaced, wordsOf } from './words.ts';

/** The places that words of a tool come from, in the order of the packed counts. */
export const FIELDS = ['name', 'server', 'description', 'parameter names', 'parameter texts'] as const;

/** Bits a field's count takes in a packed number: five of them fit in the 30 bits of a small integer. */
export const COUNT_BITS = 6;
export const MAX_COUNT = (1 << COUNT_BITS) - 1;

/** A tool reduced to counted terms. */
export interface Analysis {
  /** How often each term occurs in each field, packed. */
  readonly counts: ReadonlyMap<string, number>;
  /** Terms in each field. */
  readonly lengths: readonly number[];
  /** Distinct terms of the name. */
  readonly nameTerms: readonly string[];
  /** Terms of name and description in order, with a gap between the two. */
  readonly sequence: readonly string[];
}

/** The terms of a text, stop words left out. */
export interface Terms {
  /** In order. */
  readonly terms: readonly string[];
  /** Compounds in one piece (`github` for `GitHub`), and English for words of other languages. */
  readonly extra: readonly string[];
}

/** Turns texts into terms; remembers the words it met, because tools repeat them. */
export interface Analyser {
  termsOf(text: string): Terms;
  analyse(document: SearchDocument): Analysis;
}

const GAP = '';

/** Distinct words remembered at a time: more than several thousand tools use. */
const MAX_REMEMBERED = 50_000;

export function createAnalyser(): Analyser {
  const glossary = createGlossary();
  const remembered = new Map<string, Terms>();

  function readChunk(chunk: string): Terms {
    const words = wordsOf(chunk);
    const terms = words.filter((word) => !STOP_WORDS.has(word)).map(stem);
    const extra: string[] = [];
    if (isUnspaced(chunk)) extra.push(...glossary.inRun(chunk).map(stem));
    else {
      for (const word of words) extra.push(...glossary.ofWord(word).map(stem));
      if (words.length > 1) extra.push(stem(words.join('')));
    }
    return { terms, extra };
  }

  function chunkTerms(chunk: string): Terms {
    let known = remembered.get(chunk);
    if (known !== undefined) return known;
    known = readChunk(chunk);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    // Very long runs are keys or data: they do not come twice.
    if (chunk.length < 64) remembered.set(chunk, known);
    return known;
  }

  function termsOf(text: string): Terms {
    const terms: string[] = [];
    const extra: string[] = [];
    for (const chunk of chunksOf(text)) {
      const known = chunkTerms(chunk);
      for (const term of known.terms) terms.push(term);
      for (const term of known.extra) extra.push(term);
    }
    return { terms, extra };
  }

  return {
    termsOf,
    analyse(document) {
      const { names, texts } = schemaText(document.inputSchema);
      const counts = new Map<string, number>();
      const lengths: number[] = [];
      const ofField = (field: number, fieldTexts: readonly string[]): Terms[] => {
        const found = fieldTexts.map(termsOf);
        let length = 0;
        for (const { terms, extra } of found) {
          length += terms.length;
          for (const term of terms) count(counts, term, field);
          for (const term of extra) count(counts, term, field);
        }
        lengths.push(length);
        return found;
      };
      const { name, title, server, description } = document;
      const inName = ofField(0, title === undefined ? [name] : [name, title]);
      ofField(1, [server]);
      const inDescription = ofField(2, [description]);
      ofField(3, names);
      ofField(4, texts);
      const nameTerms = inName.flatMap(({ terms }) => terms);
      return {
        counts,
        lengths,
        nameTerms: [...new Set(nameTerms)],
        sequence: [...nameTerms, GAP, ...inDescription.flatMap(({ terms }) => terms)],
      };
    },
  };
}

function count(counts: Map<string, number>, term: string, field: number): void {
  const packed = counts.get(term) ?? 0;
  const shift = field * COUNT_BITS;
  if (((packed >> shift) & MAX_COUNT) < MAX_COUNT) counts.set(term, packed + (1 << shift));
}
