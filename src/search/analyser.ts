import type { SearchDocument } from './document.ts';
import { schemaText } from './schema-text.ts';
import { createTermReader, type TermReader, type Terms } from './terms.ts';

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

/** Reads tools, and queries by the same rules. */
export interface Analyser {
  readonly termsOf: TermReader;
  analyse(document: SearchDocument): Analysis;
}

const GAP = '';

export function createAnalyser(): Analyser {
  const termsOf = createTermReader();
  return { termsOf, analyse: (document) => analysisOf(document, termsOf) };
}

function analysisOf(document: SearchDocument, termsOf: TermReader): Analysis {
  const { name, title, server, description, inputSchema } = document;
  const parameters = schemaText(inputSchema);
  const fields: readonly (readonly Terms[])[] = [
    (title === undefined ? [name] : [name, title]).map(termsOf),
    [termsOf(server)],
    [termsOf(description)],
    parameters.names.map(termsOf),
    parameters.texts.map(termsOf),
  ];
  const counts = new Map<string, number>();
  for (const [field, parts] of fields.entries())
    for (const { terms, extra } of parts) {
      for (const term of terms) count(counts, term, field);
      for (const term of extra) count(counts, term, field);
    }
  const inOrder = (parts: readonly Terms[] = []): string[] => parts.flatMap(({ terms }) => terms);
  const nameTerms = inOrder(fields[0]);
  return {
    counts,
    lengths: fields.map((parts) => parts.reduce((sum, { terms }) => sum + terms.length, 0)),
    nameTerms: [...new Set(nameTerms)],
    sequence: [...nameTerms, GAP, ...inOrder(fields[2])],
  };
}

function count(counts: Map<string, number>, term: string, field: number): void {
  const packed = counts.get(term) ?? 0;
  const shift = field * COUNT_BITS;
  if (((packed >> shift) & MAX_COUNT) < MAX_COUNT) counts.set(term, packed + (1 << shift));
}
