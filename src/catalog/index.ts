// The catalog: every definition of every upstream under the names and URIs that hosts see.
// In: what upstreams list. Out: immutable snapshots, and the tables that requests are routed by.
// A broken definition is withheld alone, with a reason in the snapshot's diagnostics.
export {
  type Catalog,
  type CatalogDeps,
  createCatalog,
  type SnapshotListener,
  type Wanted,
} from './catalog.ts';
export type { CatalogServer } from './server-lists.ts';
export type { CatalogEntry, ServerView, Snapshot, UriRoute } from './snapshot.ts';
