import type { SearchDocument } from './document.ts';
import { schemaText } from './schema-text.ts';
import { createTermReader, type TermReader, type Terms } from './terms.ts';

/** The places that words of a tool come from, in the order of the packed counts. */
export const FIELDS = ['name', 'server', 'description', 'parameter names', 'parameter texts'] as const;

/** Bits a field's count takes in a packed number: five of them fit in the 30 bits of a small integer. */
export const COUNT_BITS = 6;
export const MAX_COUNT: number = (1 << COUNT_BITS) - 1;

/** A tool reduced to counted terms. */
export interface Analysis {
  readonly terms: readonly string[];
  /** How often each of the terms occurs in each field, packed. */
  readonly counts: readonly number[];
  /** Terms in each field. */
  readonly lengths: readonly number[];
  /** Distinct terms of the name. */
  readonly nameTerms: readonly string[];
  /** Terms of name and description in order, with a gap between the two. */
  readonly sequence: readonly string[];
}

/** Reads tools, and queries by the same rules. */
export interface Analyser extends TermReader {
  analyse(document: SearchDocument): Analysis;
}

const GAP = '';

export function createAnalyser(): Analyser {
  const reader = createTermReader();
  // One map for all tools, emptied after each: thousands of them would cost more than the reading.
  const counts = new Map<string, number>();

  /** Counts the terms of a field; adds them in order to `sequence`. */
  function read(field: number, texts: readonly string[], sequence?: string[]): number {
    let length = 0;
    const visitor = ({ terms, extra }: Terms): void => {
      length += terms.length;
      for (const term of terms) {
        count(counts, term, field);
        sequence?.push(term);
      }
      for (const term of extra) count(counts, term, field);
    };
    for (const text of texts) reader.visit(text, visitor);
    return length;
  }

  return {
    ...reader,
    analyse({ name, title, server, description, inputSchema }) {
      const parameters = schemaText(inputSchema);
      const sequence: string[] = [];
      const lengths = [read(0, title === undefined ? [name] : [name, title], sequence)];
      const nameTerms = [...new Set(sequence)];
      sequence.push(GAP);
      lengths.push(read(1, [server]), read(2, [description], sequence));
      lengths.push(read(3, parameters.names), read(4, parameters.texts));
      const analysis = {
        terms: [...counts.keys()],
        counts: [...counts.values()],
        lengths,
        nameTerms,
        sequence,
      };
      counts.clear();
      return analysis;
    },
  };
}

function count(counts: Map<string, number>, term: string, field: number): void {
  const packed = counts.get(term) ?? 0;
  const shift = field * COUNT_BITS;
  if (((packed >> shift) & MAX_COUNT) < MAX_COUNT) counts.set(term, packed + (1 << shift));
}
