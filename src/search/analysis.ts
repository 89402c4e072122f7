import type { SearchDocument } from './document.ts';
import { glossesOf } from './glosses.ts';
import { schemaText } from './schema-text.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';
import { wordsOf } from './words.ts';

/** The places that words of a tool come from, in the order of the packed counts. */
export const FIELDS = ['name', 'server', 'description', 'parameterNames', 'parameterTexts'] as const;
export type Field = (typeof FIELDS)[number];

/** Bits a field's count takes in a packed number: five of them fit in the 30 bits of a small integer. */
export const COUNT_BITS = 6;
export const MAX_COUNT = (1 << COUNT_BITS) - 1;

/** A tool reduced to counted terms. */
export interface Analysis {
  /** How often each term occurs in each field, packed. */
  readonly counts: ReadonlyMap<string, number>;
  /** Terms in each field. */
  readonly lengths: readonly number[];
  /** Distinct terms of the name, compounds left out. */
  readonly nameTerms: readonly string[];
}

/** The terms of a text, stop words left out, in order; compounds and glosses follow. */
export function termsOf(text: string): { readonly terms: string[]; readonly extra: string[] } {
  const { words, compounds } = wordsOf(text);
  const terms: string[] = [];
  for (const word of words) if (!STOP_WORDS.has(word)) terms.push(stem(word));
  return { terms, extra: [...compounds.map(stem), ...glossesOf(text).map(stem)] };
}

/** Counts the terms of a tool. */
export function analyse(document: SearchDocument): Analysis {
  const { names, texts } = schemaText(document.inputSchema);
  const fieldTexts: readonly (readonly string[])[] = [
    document.title === undefined ? [document.name] : [document.name, document.title],
    [document.server],
    [document.description],
    names,
    texts,
  ];
  const counts = new Map<string, number>();
  const lengths: number[] = [];
  const nameTerms = new Set<string>();
  for (const [field, fieldText] of fieldTexts.entries()) {
    let length = 0;
    for (const text of fieldText) {
      const { terms, extra } = termsOf(text);
      length += terms.length;
      for (const term of terms) count(counts, term, field);
      for (const term of extra) count(counts, term, field);
      if (field === 0) for (const term of terms) nameTerms.add(term);
    }
    lengths.push(length);
  }
  return { counts, lengths, nameTerms: [...nameTerms] };
}

function count(counts: Map<string, number>, term: string, field: number): void {
  const packed = counts.get(term) ?? 0;
  const shift = field * COUNT_BITS;
  if (((packed >> shift) & MAX_COUNT) < MAX_COUNT) counts.set(term, packed + (1 << shift));
}
