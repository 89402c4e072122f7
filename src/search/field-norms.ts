import { COUNT_BITS, FIELDS, MAX_COUNT } from './analyser.ts';
import type { Collection } from './collection.ts';

/**
 * What one occurrence in a field weighs, and how much a long field dilutes it (BM25F). A name is written to be
 * recognised; the texts of parameters are many and about details.
 */
const WEIGHTS: readonly number[] = [2.5, 1.5, 1, 0.5, 0.3];
const DILUTION: readonly number[] = [0.5, 0.5, 0.75, 0.75, 0.75];

/** How soon more occurrences stop counting. */
const SATURATION = 1;

const WIDTH = FIELDS.length;

/** How well documents say terms. */
export interface FieldNorms {
  /** Follows the collection: the norms move when the mean lengths of the fields do. */
  prepare(): void;
  /** How well a document says a term, from 0 towards 1, given its packed counts. */
  strength(slot: number, packed: number): number;
}

export function createFieldNorms(collection: Collection): FieldNorms {
  let norms = new Float64Array(0);

  return {
    prepare() {
      norms = new Float64Array(collection.slots() * WIDTH);
      const averages = FIELDS.map((_, field) => collection.postings.averageLength(field));
      for (let slot = 0; slot < collection.slots(); slot++) {
        const lengths = collection.at(slot)?.analysis.lengths;
        if (lengths === undefined) continue;
        for (let field = 0; field < WIDTH; field++) {
          const dilution = DILUTION[field] ?? 0;
          const relative = (lengths[field] ?? 0) / (averages[field] ?? 1);
          norms[slot * WIDTH + field] = (WEIGHTS[field] ?? 0) / (1 - dilution + dilution * relative);
        }
      }
    },
    strength(slot, packed) {
      let weight = 0;
      let at = slot * WIDTH;
      for (let rest = packed; rest !== 0; rest >>= COUNT_BITS)
        weight += (rest & MAX_COUNT) * (norms[at++] ?? 0);
      return weight / (weight + SATURATION);
    },
  };
}
