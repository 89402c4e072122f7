import { COUNT_BITS, FIELDS, MAX_COUNT } from './analysis.ts';
import type { Collection } from './collection.ts';
import type { QueryTerm } from './query-terms.ts';

/**
 * What one occurrence in a field weighs, and how much a long field dilutes it (BM25F). A name is written to be
 * recognised; the texts of parameters are many and about details.
 */
const WEIGHTS = [3, 1.5, 1, 0.5, 0.3] as const;
const DILUTION = [0.3, 0.3, 0.75, 0.75, 0.75] as const;

/** How soon more occurrences stop counting: the usual value of BM25. */
const SATURATION = 1.2;

/** Scores by slot. The arrays are reused by the next query. */
export interface Scores {
  readonly bySlot: Float64Array;
  /** Slots with a score, in no order. */
  readonly scored: readonly number[];
}

/** Scores every document that holds a term of the query. */
export interface Scorer {
  score(terms: readonly QueryTerm[]): Scores;
}

export function createScorer(collection: Collection): Scorer {
  const { postings } = collection;
  let version = -1;
  let norms = new Float64Array(0);
  let totals = new Float64Array(0);
  let best = new Float64Array(0);

  /** Weight divided by dilution, for each slot and field; they move when the mean lengths do. */
  function prepare(): void {
    if (version === collection.version()) return;
    version = collection.version();
    const slots = collection.slots();
    norms = new Float64Array(slots * FIELDS.length);
    totals = new Float64Array(slots);
    best = new Float64Array(slots);
    const averages = FIELDS.map((_, field) => postings.averageLength(field));
    for (let slot = 0; slot < slots; slot++) {
      const lengths = collection.at(slot)?.analysis.lengths;
      if (lengths === undefined) continue;
      for (let field = 0; field < FIELDS.length; field++) {
        const dilution = DILUTION[field] ?? 0;
        const relative = (lengths[field] ?? 0) / (averages[field] ?? 1);
        norms[slot * FIELDS.length + field] = (WEIGHTS[field] ?? 0) / (1 - dilution + dilution * relative);
      }
    }
  }

  /** The saturated weight of a packed count in one document: from 0 towards 1. */
  function strength(slot: number, packed: number): number {
    let weight = 0;
    for (let field = 0, rest = packed; rest !== 0; field++, rest >>= COUNT_BITS)
      weight += (rest & MAX_COUNT) * (norms[slot * FIELDS.length + field] ?? 0);
    return weight / (weight + SATURATION);
  }

  return {
    score(terms) {
      prepare();
      totals.fill(0);
      const scored: number[] = [];
      for (const { weight, members } of terms) {
        // A document gains once for a term and its relatives: by the one that it says best.
        const touched: number[] = [];
        for (const member of members) {
          const list = postings.get(member.term);
          if (list === undefined) continue;
          for (let at = 0; at < list.slots.length; at++) {
            const slot = list.slots[at] ?? 0;
            const value = member.share * strength(slot, list.counts[at] ?? 0);
            const before = best[slot] ?? 0;
            if (before === 0) touched.push(slot);
            if (value > before) best[slot] = value;
          }
        }
        for (const slot of touched) {
          if (totals[slot] === 0) scored.push(slot);
          totals[slot] = (totals[slot] ?? 0) + weight * (best[slot] ?? 0);
          best[slot] = 0;
        }
      }
      return { bySlot: totals, scored };
    },
  };
}
