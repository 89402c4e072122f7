import { createCollection, type UpdateReport } from './collection.ts';
import type { SearchDocument } from './document.ts';
import { matchedWords } from './matched-words.ts';
import type { Likeness } from './meanings.ts';
import type { Ranked } from './ranked.ts';
import { type Accepts, createRanker } from './ranking.ts';
import { spread } from './spread.ts';
import { createThesaurus } from './thesaurus.ts';
import { foldTwins } from './twins.ts';

/** A tool that answers a query. */
export interface SearchHit {
  readonly document: SearchDocument;
  /** Comparable within one answer only: 1 is the best match by words of its query. */
  readonly score: number;
  /** Whether the query gave its name, its words, words spelled like its, or only its meaning. */
  readonly by: Ranked['by'];
  /** Which of the queries found it first. */
  readonly query: number;
  /** The same tool under other servers, left out of the list. */
  readonly twins: readonly SearchDocument[];
}

/** What a search found, and, when that is nothing, what there is. */
export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Servers with the number of tools that could have been found, in the order of the catalogue. */
  readonly servers: readonly { readonly server: string; readonly tools: number }[];
  /** Queries that found nothing, by place. */
  readonly unanswered: readonly number[];
}

export interface SearchRequest {
  /** Each asks for one thing; their answers take turns in the list. */
  readonly queries: readonly string[];
  /** Only tools of this server, in any case. */
  readonly server?: string;
  readonly limit: number;
  /** Likeness in meaning to each query, where an embedder told it. */
  readonly likeness?: readonly (Likeness | undefined)[];
  /** Calls that went well, by key: among tools that fit alike, the proven one comes first. */
  readonly successes?: ReadonlyMap<string, number>;
  /** What the caller may see; everything when absent. */
  readonly isVisible?: (document: SearchDocument) => boolean;
}

/** Tools of one catalogue, found by words. */
export interface SearchIndex {
  /** Makes these the documents of the index; only those that changed are read again. */
  update(documents: readonly SearchDocument[]): UpdateReport;
  query(request: SearchRequest): SearchAnswer;
  /** Why a tool answers a query: the words of the query that it says, or says by others. */
  matched(query: string, key: string): readonly string[];
}

export function createSearchIndex(): SearchIndex {
  const collection = createCollection();
  const thesaurus = createThesaurus();
  const ranker = createRanker(collection, thesaurus);

  function serversFor(accepts: Accepts): { server: string; tools: number }[] {
    const counts = new Map<string, number>();
    const entries = [...collection.entries()].toSorted((one, other) => one.order - other.order);
    for (const { document } of entries)
      if (accepts(document)) counts.set(document.server, (counts.get(document.server) ?? 0) + 1);
    return [...counts].map(([server, tools]) => ({ server, tools }));
  }

  return {
    update(documents) {
      const report = collection.update(documents);
      ranker.prepare();
      return report;
    },
    matched(query, key) {
      const entry = collection.byKey(key);
      return entry === undefined ? [] : matchedWords(query, entry, collection, thesaurus);
    },
    query({ queries, server, limit, likeness, successes, isVisible = () => true }) {
      const wanted = server?.toLowerCase();
      const accepts: Accepts = (document) =>
        (wanted === undefined || document.server.toLowerCase() === wanted) && isVisible(document);
      const lists = queries.map((query, at) =>
        listed(ranker.rank({ query, accepts, likeness: likeness?.[at], successes }), limit),
      );
      const hits = interleaved(lists, limit);
      return {
        hits,
        servers: hits.length > 0 ? [] : serversFor(isVisible),
        unanswered: [...lists.keys()].filter((at) => lists[at]?.length === 0),
      };
    },
  };
}

type Listed = Omit<SearchHit, 'query'>;

/** The best of a ranking: each tool once, its twins with it, and no server crowding out the others. */
function listed(ranked: readonly Ranked[], limit: number): Listed[] {
  const top = ranked[0]?.score ?? 1;
  const distinct = foldTwins(ranked).map(({ item: { entry, score, by }, twins }) => ({
    server: entry.document.server,
    score,
    hit: {
      document: entry.document,
      score: score / top,
      by,
      twins: twins.map((twin) => twin.entry.document),
    },
  }));
  return spread(distinct, limit).map(({ hit }) => hit);
}

/** Takes one from each list in turn, each tool or its twin once, up to the limit. */
function interleaved(lists: readonly (readonly Listed[])[], limit: number): SearchHit[] {
  const hits: SearchHit[] = [];
  const shown = new Set<string>();
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let row = 0; row < longest; row++)
    for (const [query, list] of lists.entries()) {
      const hit = list[row];
      if (hits.length >= limit) return hits;
      if (hit === undefined || shown.has(hit.document.key)) continue;
      hits.push({ ...hit, query });
      for (const { key } of [hit.document, ...hit.twins]) shown.add(key);
    }
  return hits;
}
