import { type Analyser, createAnalyser } from './analyser.ts';
import { createExactNames, type ExactNames } from './exact-names.ts';
import { createServerNames } from './server-names.ts';
import { createPostings, type Postings, rarity } from './postings.ts';
import { createShelf, type Shelf } from './shelf.ts';

export type { Entry, UpdateReport } from './shelf.ts';

/** The analysed documents with everything that is derived from them, all changed together. */
export interface Collection extends Shelf {
  readonly postings: Postings;
  readonly analyser: Analyser;
  readonly names: ExactNames;
  /** How telling a term is, among tools. */
  rarity(term: string): number;
  /** How telling a term is among the names of servers; nothing when it is in none. */
  serverRarity(term: string): number;
}

export function createCollection(): Collection {
  const postings = createPostings();
  const analyser = createAnalyser();
  const servers = createServerNames(analyser);
  const names = createExactNames();
  const shelf = createShelf(analyser, {
    added(slot, { document, analysis }) {
      postings.add(slot, analysis);
      servers.add(document.server);
      names.add(slot, document);
    },
    removed(gone) {
      for (const [slot, { document }] of gone) {
        servers.remove(document.server);
        names.remove(slot, document);
      }
      postings.remove(new Map([...gone].map(([slot, { analysis }]) => [slot, analysis])));
    },
  });
  return {
    ...shelf,
    postings,
    analyser,
    names,
    rarity: (term) => rarity(postings.holders(term), postings.size()),
    serverRarity: (term) => servers.rarity(term),
  };
}
