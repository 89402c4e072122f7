import { bestOf } from './best-of.ts';
import { createCloseReading } from './close-reading.ts';
import type { Collection, Entry } from './collection.ts';
import type { SearchDocument } from './document.ts';
import type { Likeness } from './meanings.ts';
import { nearTerms } from './near-terms.ts';
import { type ParsedQuery, parseQuery } from './parse-query.ts';
import { createScorer } from './scoring.ts';
import type { Ranked } from './ranked.ts';
import { withMeaning, withSuccesses } from './reordering.ts';
import type { Thesaurus } from './thesaurus.ts';

/** How many of the best by words are looked at closely. */
const POOL = 200;
/** How many others join them when one server has most of those places. */
const OTHERS = 20;

export type Accepts = (document: SearchDocument) => boolean;

/** Ranks the tools that `accepts` lets through for one query, best first. */
export interface Ranker {
  /** Does now what the next query would otherwise wait for. */
  prepare(): void;
  rank(request: RankRequest): Ranked[];
}

export interface RankRequest {
  readonly query: string;
  readonly accepts: Accepts;
  readonly likeness: Likeness | undefined;
  readonly successes: ReadonlyMap<string, number> | undefined;
}

export function createRanker(collection: Collection, thesaurus: Thesaurus): Ranker {
  const scorer = createScorer(collection);
  const readClosely = createCloseReading(collection, thesaurus);

  /** The best by words alone. */
  function pool({ ideas }: ParsedQuery, accepts: Accepts): Ranked[] {
    const { bySlot, scored } = scorer.score(ideas);
    const before = (one: number, other: number): boolean => {
      const difference = (bySlot[one] ?? 0) - (bySlot[other] ?? 0);
      if (difference !== 0) return difference > 0;
      return (collection.at(one)?.order ?? 0) < (collection.at(other)?.order ?? 0);
    };
    const best = (count: number, passes: Accepts): Ranked[] => {
      const isAccepted = (slot: number): boolean => {
        const entry = collection.at(slot);
        return entry !== undefined && passes(entry.document) && accepts(entry.document);
      };
      return bestOf(scored, count, before, isAccepted).flatMap((slot) => {
        const entry = collection.at(slot);
        return entry === undefined ? [] : [{ entry, score: bySlot[slot] ?? 0, by: 'words' as const }];
      });
    };
    const pooled = best(POOL, () => true);
    const giant = pooled.length < POOL ? undefined : serverOfMost(pooled);
    if (giant === undefined) return pooled;
    const known = new Set(pooled.map(({ entry }) => entry.document));
    return [...pooled, ...best(OTHERS, (one) => one.server !== giant && !known.has(one))];
  }

  const read = (parsed: ParsedQuery, accepts: Accepts): Ranked[] =>
    readClosely(pool(parsed, accepts), parsed);

  function namedBy(query: string, accepts: Accepts): Entry[] {
    return collection.names
      .find(query)
      .flatMap((slot) => collection.at(slot) ?? [])
      .filter(({ document }) => accepts(document))
      .toSorted((one, other) => one.order - other.order);
  }

  function alike(likeness: Likeness, accepts: Accepts): Entry[] {
    return [...likeness.keys()]
      .flatMap((key) => collection.byKey(key) ?? [])
      .filter(({ document }) => accepts(document));
  }

  return {
    prepare: () => scorer.prepare(),
    rank({ query, accepts, likeness, successes }) {
      const named = namedBy(query, accepts);
      let ranked = read(parseQuery(query, collection, thesaurus), accepts);
      if (ranked.length === 0 && named.length === 0)
        ranked = read(nearTerms(query, collection), accepts).map((one) => ({ ...one, by: 'spelling' }));
      if (likeness !== undefined) ranked = withMeaning(ranked, alike(likeness, accepts), likeness);
      if (successes !== undefined) ranked = withSuccesses(ranked, successes);
      return withNamedFirst(named, ranked);
    },
  };
}

/** The server that most of the ranked are of, if there is one. */
function serverOfMost(ranked: readonly Ranked[]): string | undefined {
  const tools = new Map<string, number>();
  for (const { entry } of ranked)
    tools.set(entry.document.server, (tools.get(entry.document.server) ?? 0) + 1);
  return [...tools].find(([, count]) => count > ranked.length / 2)?.[0];
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
