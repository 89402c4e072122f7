import type { Collection } from './collection.ts';
import { rarity } from './postings.ts';
import type { Thesaurus } from './thesaurus.ts';

/** A term that a document may answer an idea with: 1 for the very word, less for a relative. */
export interface Member {
  readonly term: string;
  readonly share: number;
}

/** One idea of a query. */
export interface QueryTerm {
  readonly term: string;
  /** What a document gains that says it. */
  readonly weight: number;
  /** What a document gains besides whose server is named by it. */
  readonly serverWeight: number;
  readonly members: readonly Member[];
}

/** The query as it is scored. */
export interface ParsedQuery {
  readonly ideas: readonly QueryTerm[];
  readonly pairs: Pairs;
}

/** Words that stand side by side: the second, then the first, then the weight of the lighter of the two. */
export type Pairs = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A question's words beyond these are not read: none that means something is longer. */
const MAX_TERMS = 400;

/** What a relative of a word is worth, and how much its use by many tools makes the word less telling. */
const RELATIVE_SHARE = 0.5;
const RELATIVE_SPREAD = 0.1;

/** In a long question the words vouch for each other, and relatives would only add noise: from here, none. */
const MAX_TERMS_WITH_RELATIVES = 80;

/** Numbers and single letters are values of arguments more often than names of things. */
const VALUE_SHARE = 0.3;
const VALUE = /^(?:\p{N}+|[a-z])$/u;

/** How much it counts that the query names the server. */
const SERVER_SHARE = 0.2;

export function parseQuery(query: string, collection: Collection, thesaurus: Thesaurus): ParsedQuery {
  const { analyser, postings } = collection;
  const { terms, extra } = analyser.termsOf(query);
  const read = terms.slice(0, MAX_TERMS);
  const times = new Map<string, number>();
  for (const term of read) times.set(term, (times.get(term) ?? 0) + 1);
  for (const term of [...extra, ...joined(read).filter((pair) => postings.get(pair) !== undefined)])
    if (!times.has(term)) times.set(term, 1);
  const share = RELATIVE_SHARE * Math.max(0, 1 - times.size / MAX_TERMS_WITH_RELATIVES);
  const ideas: QueryTerm[] = [];
  for (const [term, count] of times) {
    const idea = ideaOf(term, share, collection, thesaurus);
    const said = (1 + Math.log(count)) * (VALUE.test(term) ? VALUE_SHARE : 1);
    if (idea !== undefined)
      ideas.push({ ...idea, weight: idea.weight * said, serverWeight: idea.serverWeight * said });
  }
  return { ideas, pairs: pairsOf(read, collection) };
}

function ideaOf(
  term: string,
  share: number,
  collection: Collection,
  thesaurus: Thesaurus,
): QueryTerm | undefined {
  const { postings } = collection;
  const own = postings.holders(term);
  const relatives = share > 0 ? thesaurus.relativesOf(term).filter((one) => postings.holders(one) > 0) : [];
  if (own === 0 && relatives.length === 0) return undefined;
  const kin = relatives.reduce((sum, one) => sum + postings.holders(one), 0);
  const holders = Math.min(postings.size(), own + RELATIVE_SPREAD * kin);
  const members = relatives.map((one) => ({ term: one, share }));
  return {
    term,
    weight: rarity(holders, postings.size()),
    serverWeight: SERVER_SHARE * collection.serverRarity(term),
    members: own === 0 ? members : [{ term, share: 1 }, ...members],
  };
}

/** Neighbouring words in one piece: "argo cd" for `argocd`. */
function joined(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, before) => `${terms[before] ?? ''}${term}`);
}

function pairsOf(terms: readonly string[], collection: Collection): Pairs {
  const pairs = new Map<string, Map<string, number>>();
  for (const [at, second] of terms.entries()) {
    const first = terms[at - 1];
    if (first === undefined) continue;
    const weight = Math.min(collection.rarity(first), collection.rarity(second));
    if (weight === 0) continue;
    const firsts = pairs.get(second) ?? new Map<string, number>();
    pairs.set(second, firsts.set(first, weight));
  }
  return pairs;
}
