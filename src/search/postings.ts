import { type Analysis, FIELDS } from './analyser.ts';

/** Where a term occurs: parallel lists of slots and packed counts per field. */
export interface Posting {
  readonly slots: number[];
  readonly counts: number[];
}

/** The inverted index: changed in place, at the cost of what changed. */
export interface Postings {
  add(slot: number, analysis: Analysis): void;
  /** Takes documents out together, so that every list of theirs is read once. */
  remove(analyses: ReadonlyMap<number, Analysis>): void;
  get(term: string): Posting | undefined;
  terms(): Iterable<string>;
  /** Documents held. */
  size(): number;
  /** Mean number of terms in a field; 1 where the field is always empty. */
  averageLength(field: number): number;
  /** Documents that hold a term. */
  holders(term: string): number;
}

/** How telling a term is that `holders` of `all` hold: rare ones more than common ones, unknown ones not at all. */
export function rarity(holders: number, all: number): number {
  return holders <= 0 ? 0 : Math.log(1 + Math.max(0, all - holders + 0.5) / (holders + 0.5));
}

export function createPostings(): Postings {
  const lists = new Map<string, Posting>();
  const totals = FIELDS.map(() => 0);
  let size = 0;

  function tally({ lengths }: Analysis, sign: 1 | -1): void {
    size += sign;
    for (const [field, length] of lengths.entries()) totals[field] = (totals[field] ?? 0) + sign * length;
  }

  return {
    add(slot, analysis) {
      tally(analysis, 1);
      for (const [at, term] of analysis.terms.entries()) {
        let list = lists.get(term);
        if (list === undefined) lists.set(term, (list = { slots: [], counts: [] }));
        list.slots.push(slot);
        list.counts.push(analysis.counts[at] ?? 0);
      }
    },
    remove(analyses) {
      const touched = new Set<string>();
      for (const analysis of analyses.values()) {
        tally(analysis, -1);
        for (const term of analysis.terms) touched.add(term);
      }
      for (const term of touched) {
        const list = lists.get(term);
        if (list !== undefined && keepOthers(list, analyses) === 0) lists.delete(term);
      }
    },
    get: (term) => lists.get(term),
    terms: () => lists.keys(),
    size: () => size,
    averageLength: (field) => (totals[field] ?? 0) / size || 1,
    holders: (term) => lists.get(term)?.slots.length ?? 0,
  };
}

/** Drops the given slots from a list, in place; says how many remain. */
function keepOthers({ slots, counts }: Posting, gone: ReadonlyMap<number, unknown>): number {
  let kept = 0;
  for (const [at, slot] of slots.entries()) {
    if (gone.has(slot)) continue;
    slots[kept] = slot;
    counts[kept] = counts[at] ?? 0;
    kept++;
  }
  slots.length = kept;
  counts.length = kept;
  return kept;
}
