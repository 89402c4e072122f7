import { COUNT_BITS, FIELDS, MAX_COUNT } from './analyser.ts';
import type { Collection } from './collection.ts';
import { createFieldNorms } from './field-norms.ts';
import type { Member, QueryTerm } from './parse-query.ts';

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

const SERVER_FIELD = FIELDS.indexOf('server') * COUNT_BITS;

export function createScorer(collection: Collection): Scorer {
  const { postings } = collection;
  const norms = createFieldNorms(collection);
  let version = -1;
  let totals = new Float64Array(0);
  let best = new Float64Array(0);
  const touched: number[] = [];

  function prepare(): void {
    if (version === collection.version()) return;
    version = collection.version();
    norms.prepare();
    totals = new Float64Array(collection.slots());
    best = new Float64Array(collection.slots());
  }

  function addMember({ term, share }: Member): void {
    const list = postings.get(term);
    if (list === undefined) return;
    const { slots, counts } = list;
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at] ?? 0;
      const value = share * norms.strength(slot, counts[at] ?? 0);
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
