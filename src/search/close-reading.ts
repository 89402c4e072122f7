import type { Collection, Entry } from './collection.ts';
import type { Pairs, ParsedQuery } from './parse-query.ts';
import { byScore, type Ranked } from './ranked.ts';
import type { Thesaurus } from './thesaurus.ts';

/** What it is worth that the query says every word of a tool's name: it tells a tool from its longer kin. */
const WHOLE_NAME = 0.7;
/** Of that, what a relative of a name's word is worth. */
const RELATIVE_NAME_SHARE = 0.8;

/** What it is worth, in weight, that two words stand side by side in both texts. */
const PAIR = 0.3;

/** What the company is worth: the mean of its server's best, because a server that fits has fitting tools. */
const COMPANY = 0.2;
const COMPANY_SIZE = 2;

/** Scores the best by words again, by what their words alone do not tell. */
export type CloseReading = (ranked: readonly Ranked[], parsed: ParsedQuery) => Ranked[];

export function createCloseReading(collection: Collection, thesaurus: Thesaurus): CloseReading {
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

  return (ranked, { ideas, pairs }) => {
    const said = new Set(ideas.map(({ term }) => term));
    const close = ranked.map(({ entry, score, by }) => ({
      entry,
      score: score * (1 + WHOLE_NAME * nameShare(entry, said)) + PAIR * pairWeight(entry, pairs),
      by,
    }));
    return withCompany(close).toSorted(byScore);
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
    const best = scores.toSorted((one, other) => other - one).slice(0, COMPANY_SIZE);
    company.set(server, best.reduce((sum, score) => sum + score, 0) / COMPANY_SIZE);
  }
  return ranked.map((one) => ({
    ...one,
    score: one.score + COMPANY * (company.get(one.entry.document.server) ?? 0),
  }));
}
