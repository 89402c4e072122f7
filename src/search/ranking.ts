import type { Collection, Entry } from './collection.ts';
import type { SearchDocument } from './document.ts';
import { createExactNames } from './exact-names.ts';
import { nearTerms } from './near-terms.ts';
import { type QueryTerm, queryTerms } from './query-terms.ts';
import { createScorer } from './scoring.ts';

/** A tool with its score for one query. */
export interface Ranked {
  readonly entry: Entry;
  readonly score: number;
  /** How the query led to it. */
  readonly by: 'name' | 'words' | 'spelling';
}

/** How many of the best by words are looked at closely. */
const POOL = 200;

/** How much it is worth that the query says every word of a tool's name: it tells a tool from its longer kin. */
const WHOLE_NAME = 0.4;

export type Accepts = (document: SearchDocument) => boolean;

/** Ranks the tools that `accepts` lets through for one query, best first. */
export interface Ranker {
  rank(query: string, accepts: Accepts): Ranked[];
}

export function createRanker(collection: Collection): Ranker {
  const { postings } = collection;
  const scorer = createScorer(collection);
  const names = createExactNames(collection);

  function pool(terms: readonly QueryTerm[], accepts: Accepts): Ranked[] {
    const { bySlot, scored } = scorer.score(terms);
    const order = (slot: number): number => collection.at(slot)?.order ?? 0;
    const sorted = [...scored].sort(
      (one, other) => (bySlot[other] ?? 0) - (bySlot[one] ?? 0) || order(one) - order(other),
    );
    const best: Ranked[] = [];
    for (const slot of sorted) {
      const entry = collection.at(slot);
      if (entry === undefined || !accepts(entry.document)) continue;
      best.push({ entry, score: bySlot[slot] ?? 0, by: 'words' });
      if (best.length === POOL) break;
    }
    return best;
  }

  /** The share of a name, by rarity of its words, that the query says. */
  function nameShare(entry: Entry, said: ReadonlySet<string>): number {
    let all = 0;
    let common = 0;
    for (const term of entry.analysis.nameTerms) {
      const rarity = postings.rarity(term);
      all += rarity;
      if (said.has(term)) common += rarity;
    }
    return all === 0 ? 0 : common / all;
  }

  function byWords(terms: readonly QueryTerm[], accepts: Accepts): Ranked[] {
    const said = new Set(terms.map(({ term }) => term));
    return pool(terms, accepts)
      .map((one) => ({ ...one, score: one.score * (1 + WHOLE_NAME * nameShare(one.entry, said)) }))
      .sort((one, other) => other.score - one.score || one.entry.order - other.entry.order);
  }

  return {
    rank(query, accepts) {
      const named = names.find(query).filter(({ document }) => accepts(document));
      let ranked = byWords(queryTerms(query, postings), accepts);
      if (ranked.length === 0 && named.length === 0)
        ranked = byWords(nearTerms(query, postings), accepts).map((one) => ({ ...one, by: 'spelling' }));
      return withNamedFirst(named, ranked);
    },
  };
}

/** Puts the tools whose very name was given before all others, in the order of their scores. */
function withNamedFirst(named: readonly Entry[], ranked: readonly Ranked[]): Ranked[] {
  if (named.length === 0) return [...ranked];
  const asked = new Set(named);
  const top = ranked[0]?.score ?? 1;
  const first = ranked.filter(({ entry }) => asked.has(entry));
  const found = new Set(first.map(({ entry }) => entry));
  const unscored = [...asked].filter((entry) => !found.has(entry)).map((entry) => ({ entry, score: 0 }));
  return [
    ...[...first, ...unscored].map(({ entry, score }) => ({
      entry,
      score: top + score,
      by: 'name' as const,
    })),
    ...ranked.filter(({ entry }) => !asked.has(entry)),
  ];
}
