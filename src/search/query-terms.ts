import { termsOf } from './analysis.ts';
import type { Postings } from './postings.ts';

/** One idea of a query: what it weighs, and the terms that express it. */
export interface QueryTerm {
  readonly term: string;
  /** Rarity of the term, times how often the query says it, damped. */
  readonly weight: number;
  /** The term itself with share 1, and relatives with less. */
  readonly members: readonly { readonly term: string; readonly share: number }[];
}

/** A question of this many words is no longer read: no request says more that matters. */
const MAX_TERMS = 400;

/** The ideas of a query that the index knows. */
export function queryTerms(query: string, postings: Postings): QueryTerm[] {
  const { terms, extra } = termsOf(query);
  const times = new Map<string, number>();
  for (const term of terms.slice(0, MAX_TERMS)) times.set(term, (times.get(term) ?? 0) + 1);
  for (const term of [...extra, ...joined(terms, postings)]) if (!times.has(term)) times.set(term, 1);
  const found: QueryTerm[] = [];
  for (const [term, count] of times) {
    const rarity = postings.rarity(term);
    if (rarity === 0) continue;
    found.push({ term, weight: rarity * (1 + Math.log(count)), members: [{ term, share: 1 }] });
  }
  return found;
}

/** Neighbouring words that the index knows as one: "argo cd" for `argocd`. */
function joined(terms: readonly string[], postings: Postings): string[] {
  return terms
    .slice(1, MAX_TERMS)
    .map((term, before) => `${terms[before] ?? ''}${term}`)
    .filter((pair) => postings.get(pair) !== undefined);
}
