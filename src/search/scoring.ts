import { COUNT_BITS, FIELDS, MAX_COUNT } from './analyser.ts';
import type { Collection } from './collection.ts';
import type { Member, QueryTerm } from './parse-query.ts';

/**
 * What one occurrence in a field weighs, and how much a long field dilutes it (BM25F). A name is written to be
 * recognised; the texts of parameters are many and about details.
 */
const WEIGHTS: readonly number[] = [2.5, 1.5, 1, 0.5, 0.3];
const DILUTION: readonly number[] = [0.5, 0.5, 0.75, 0.75, 0.75];

/** How soon more occurrences stop counting. */
const SATURATION = 1;

/** Scores by slot; the arrays are used again by the next query. */
export interface Scores {
  readonly bySlot: Float64Array;
  /** Slots with a score, in no order. */
  readonly scored: readonly number[];
}

/** Scores every document that answers an idea of a query. */
export interface Scorer {
  /** Follows the collection; scoring does so by itself. */
  prepare(): void;
  score(ideas: readonly QueryTerm[]): Scores;
}

const WIDTH = FIELDS.length;
const SERVER_FIELD = FIELDS.indexOf('server') * COUNT_BITS;

export function createScorer(collection: Collection): Scorer {
  const { postings } = collection;
  let version = -1;
  let norms = new Float64Array(0);
  let totals = new Float64Array(0);
  let best = new Float64Array(0);
  const touched: number[] = [];

  /** Weight divided by dilution, for each slot and field; they move when the mean lengths do. */
  function prepare(): void {
    if (version === collection.version()) return;
    version = collection.version();
    const slots = collection.slots();
    norms = new Float64Array(slots * WIDTH);
    totals = new Float64Array(slots);
    best = new Float64Array(slots);
    const averages = FIELDS.map((_, field) => postings.averageLength(field));
    for (let slot = 0; slot < slots; slot++) {
      const lengths = collection.at(slot)?.analysis.lengths;
      if (lengths === undefined) continue;
      for (let field = 0; field < WIDTH; field++) {
        const dilution = DILUTION[field] ?? 0;
        const relative = (lengths[field] ?? 0) / (averages[field] ?? 1);
        norms[slot * WIDTH + field] = (WEIGHTS[field] ?? 0) / (1 - dilution + dilution * relative);
      }
    }
  }

  /** How well one document says a term, from 0 towards 1, given its packed counts. */
  function strength(slot: number, packed: number): number {
    let weight = 0;
    let at = slot * WIDTH;
    for (let rest = packed; rest !== 0; rest >>= COUNT_BITS)
      weight += (rest & MAX_COUNT) * (norms[at++] ?? 0);
    return weight / (weight + SATURATION);
  }

  function addMember({ term, share }: Member): void {
    const list = postings.get(term);
    if (list === undefined) return;
    const { slots, counts } = list;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? 0;
      const value = share * strength(slot, counts[at] ?? 0);
      const before = best[slot] ?? 0;
      if (before === 0) touched.push(slot);
      if (value > before) best[slot] = value;
    }
  }

  /** Tools of the servers that a term names gain from it, though it says nothing of what they do there. */
  function addServers({ term, serverWeight }: QueryTerm): void {
    const list = serverWeight > 0 ? postings.get(term) : undefined;
    if (list === undefined) return;
    for (const [at, slot] of list.slots.entries())
      if ((((list.counts[at] ?? 0) >> SERVER_FIELD) & MAX_COUNT) !== 0)
        totals[slot] = (totals[slot] ?? 0) + serverWeight;
  }

  return {
    prepare,
    score(ideas) {
      prepare();
      totals.fill(0);
      const scored: number[] = [];
      for (const idea of ideas) {
        // A document gains once for an idea: by the member that it says best.
        touched.length = 0;
        for (const member of idea.members) addMember(member);
        for (const slot of touched) {
          const before = totals[slot] ?? 0;
          if (before === 0) scored.push(slot);
          totals[slot] = before + idea.weight * (best[slot] ?? 0);
          best[slot] = 0;
        }
        addServers(idea);
      }
      return { bySlot: totals, scored };
    },
  };
}
