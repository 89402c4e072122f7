import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogEntry, Snapshot } from '../catalog/index.ts';
import type { Principal } from '../domain/index.ts';
import type { Policy } from '../policy/index.ts';
import {
  createSearchIndex,
  type SearchAnswer,
  type SearchDocument,
  type SearchRequest,
} from '../search/index.ts';

/** Searches the tools of a snapshot that a principal may see. */
export interface Searcher {
  search(principal: Principal, snapshot: Snapshot, request: Omit<SearchRequest, 'isVisible'>): SearchAnswer;
  /** Reads a new snapshot before anybody searches it, in short turns. */
  prepare(snapshot: Snapshot): Promise<void>;
}

export interface SearcherDeps {
  readonly policy: Pick<Policy, 'visible'>;
  readonly serverName: (entry: CatalogEntry) => string;
}

/** Documents that are read in one turn: some ten milliseconds. */
const DOCUMENTS_PER_TURN = 100;

export function createSearcher({ policy, serverName }: SearcherDeps): Searcher {
  const index = createSearchIndex();
  const documents = new WeakMap<CatalogEntry, SearchDocument>();
  const visibleKeys = new WeakMap<readonly CatalogEntry[], ReadonlySet<string>>();
  let indexed: Snapshot | undefined;

  const documentOf = (entry: CatalogEntry): SearchDocument => {
    const known = documents.get(entry) ?? toDocument(entry, serverName(entry));
    documents.set(entry, known);
    return known;
  };
  const documentsOf = (snapshot: Snapshot): SearchDocument[] => snapshot.entries('tool').map(documentOf);
  const keysOf = (visible: readonly CatalogEntry[]): ReadonlySet<string> => {
    const keys = visibleKeys.get(visible) ?? new Set(visible.map(({ exposed }) => exposed));
    visibleKeys.set(visible, keys);
    return keys;
  };

  return {
    search: (principal, snapshot, request) => {
      if (indexed !== snapshot) index.update(documentsOf(snapshot));
      indexed = snapshot;
      const keys = keysOf(policy.visible(principal, snapshot, 'tool'));
      return index.query({ ...request, isVisible: ({ key }) => keys.has(key) });
    },
    prepare: async (snapshot) => {
      if (indexed === snapshot) return;
      const all = documentsOf(snapshot);
      const known = new Set(indexed === undefined ? [] : documentsOf(indexed));
      const added = all.filter((document) => !known.has(document));
      for (let read = 0; added.length - read > DOCUMENTS_PER_TURN; read += DOCUMENTS_PER_TURN) {
        for (const document of added.slice(read, read + DOCUMENTS_PER_TURN)) known.add(document);
        index.update(all.filter((document) => known.has(document)));
        await nextTurn();
        // A search that could not wait has read everything meanwhile.
        if (indexed === snapshot) return;
      }
      index.update(all);
      indexed = snapshot;
    },
  };
}

function toDocument({ exposed, native, value }: CatalogEntry, server: string): SearchDocument {
  const { title, description, inputSchema } = value;
  return {
    key: exposed,
    server,
    name: native,
    ...(typeof title === 'string' ? { title } : {}),
    description: typeof description === 'string' ? description : '',
    inputSchema,
  };
}
