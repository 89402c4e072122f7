import { bestOf } from './best-of.ts';
import type { Collection, Entry } from './collection.ts';
import type { SearchDocument } from './document.ts';
import { nearTerms } from './near-terms.ts';
import { type Pairs, type ParsedQuery, parseQuery } from './parse-query.ts';
import { createScorer } from './scoring.ts';
import { createThesaurus } from './thesaurus.ts';

/** A tool with its score for one query. */
export interface Ranked {
  readonly entry: Entry;
  readonly score: number;
  /** How the query led to it. */
  readonly by: 'name' | 'words' | 'spelling';
}

/** How many of the best by words are looked at closely. */
const POOL = 200;

/** What it is worth that the query says every word of a tool's name: it tells a tool from its longer kin. */
const WHOLE_NAME = 0.7;
/** Of that, what a relative of a name's word is worth. */
const RELATIVE_NAME_SHARE = 0.8;

/** What it is worth, in weight, that two words stand side by side in both texts. */
const PAIR = 0.3;

/** What the company is worth: the mean of its server's best, because a server that fits has fitting tools. */
const COMPANY = 0.2;
const COMPANY_SIZE = 2;

export type Accepts = (document: SearchDocument) => boolean;

/** Ranks the tools that `accepts` lets through for one query, best first. */
export interface Ranker {
  /** Does now what the next query would otherwise wait for. */
  prepare(): void;
  rank(query: string, accepts: Accepts): Ranked[];
}

export function createRanker(collection: Collection): Ranker {
  const scorer = createScorer(collection);
  const thesaurus = createThesaurus();

  /** The best by words alone. */
  function pool({ ideas }: ParsedQuery, accepts: Accepts): Ranked[] {
    const { bySlot, scored } = scorer.score(ideas);
    const before = (one: number, other: number): boolean => {
      const difference = (bySlot[one] ?? 0) - (bySlot[other] ?? 0);
      if (difference !== 0) return difference > 0;
      return (collection.at(one)?.order ?? 0) < (collection.at(other)?.order ?? 0);
    };
    const isAccepted = (slot: number): boolean => {
      const entry = collection.at(slot);
      return entry !== undefined && accepts(entry.document);
    };
    return bestOf(scored, POOL, before, isAccepted).flatMap((slot) => {
      const entry = collection.at(slot);
      return entry === undefined ? [] : [{ entry, score: bySlot[slot] ?? 0, by: 'words' as const }];
    });
  }

  /** The share of a name, by rarity of its words, that the query says itself or by relatives. */
  function nameShare({ analysis }: Entry, said: ReadonlySet<string>): number {
    let all = 0;
    let common = 0;
    for (const term of analysis.nameTerms) {
      const weight = collection.rarity(term);
      all += weight;
      if (said.has(term)) common += weight;
      else if (thesaurus.relativesOf(term).some((one) => said.has(one)))
        common += weight * RELATIVE_NAME_SHARE;
    }
    return all === 0 ? 0 : common / all;
  }

  function closely(parsed: ParsedQuery, accepts: Accepts): Ranked[] {
    const said = new Set(parsed.ideas.map(({ term }) => term));
    const close = pool(parsed, accepts).map(({ entry, score, by }) => ({
      entry,
      score: score * (1 + WHOLE_NAME * nameShare(entry, said)) + PAIR * pairWeight(entry, parsed.pairs),
      by,
    }));
    return withCompany(close).sort(
      (one, other) => other.score - one.score || one.entry.order - other.entry.order,
    );
  }

  function namedBy(query: string, accepts: Accepts): Entry[] {
    return collection.names
      .find(query)
      .flatMap((slot) => collection.at(slot) ?? [])
      .filter(({ document }) => accepts(document))
      .sort((one, other) => one.order - other.order);
  }

  return {
    prepare: () => scorer.prepare(),
    rank(query, accepts) {
      const named = namedBy(query, accepts);
      let ranked = closely(parseQuery(query, collection, thesaurus), accepts);
      if (ranked.length === 0 && named.length === 0)
        ranked = closely(nearTerms(query, collection), accepts).map((one) => ({ ...one, by: 'spelling' }));
      return withNamedFirst(named, ranked);
    },
  };
}

/** The weight of the query's pairs that stand side by side in a tool's name or description. */
function pairWeight({ analysis }: Entry, pairs: Pairs): number {
  if (pairs.size === 0) return 0;
  let weight = 0;
  const found = new Set<string>();
  const { sequence } = analysis;
  for (let at = 1; at < sequence.length; at++) {
    const second = sequence[at] ?? '';
    const firsts = pairs.get(second);
    if (firsts === undefined) continue;
    const first = sequence[at - 1] ?? '';
    const value = firsts.get(first);
    if (value === undefined || found.has(`${first} ${second}`)) continue;
    found.add(`${first} ${second}`);
    weight += value;
  }
  return weight;
}

function withCompany(ranked: readonly Ranked[]): Ranked[] {
  const byServer = new Map<string, number[]>();
  for (const { entry, score } of ranked) {
    const scores = byServer.get(entry.document.server);
    if (scores === undefined) byServer.set(entry.document.server, [score]);
    else scores.push(score);
  }
  const company = new Map<string, number>();
  for (const [server, scores] of byServer) {
    const best = scores.sort((one, other) => other - one).slice(0, COMPANY_SIZE);
    company.set(server, best.reduce((sum, score) => sum + score, 0) / COMPANY_SIZE);
  }
  return ranked.map((one) => ({
    ...one,
    score: one.score + COMPANY * (company.get(one.entry.document.server) ?? 0),
  }));
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
