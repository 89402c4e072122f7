import type { Analyser, Analysis } from './analyser.ts';
import { saysTheSame, type SearchDocument } from './document.ts';

/** A document in the index. */
export interface Entry {
  readonly document: SearchDocument;
  readonly analysis: Analysis;
  /** Place in the catalogue: equal scores keep its order. */
  readonly order: number;
}

/** What an update did. */
export interface UpdateReport {
  readonly analysed: number;
  readonly removed: number;
  readonly kept: number;
}

/** Where the analysed documents stand. Slots are used again, so that lists by slot stay small. */
export interface Shelf {
  /** Makes these the documents; those that say the same as before are not analysed again. */
  update(documents: readonly SearchDocument[]): UpdateReport;
  at(slot: number): Entry | undefined;
  byKey(key: string): Entry | undefined;
  slots(): number;
  entries(): Iterable<Entry>;
  /** Grows by one with every update that changed something. */
  version(): number;
}

/** What else follows the documents. */
export interface ShelfFollower {
  added(slot: number, entry: Entry): void;
  removed(gone: ReadonlyMap<number, Entry>): void;
}

export function createShelf(analyser: Analyser, follower: ShelfFollower): Shelf {
  const entries: (Entry | undefined)[] = [];
  const slotOf = new Map<string, number>();
  const free: number[] = [];
  let version = 0;

  function put(document: SearchDocument, order: number): void {
    const slot = free.pop() ?? entries.length;
    const entry = { document, analysis: analyser.analyse(document), order };
    entries[slot] = entry;
    slotOf.set(document.key, slot);
    follower.added(slot, entry);
  }

  function drop(keys: Iterable<string>): void {
    const gone = new Map<number, Entry>();
    for (const key of keys) {
      const slot = slotOf.get(key) ?? -1;
      const entry = entries[slot];
      if (entry === undefined) continue;
      gone.set(slot, entry);
      entries[slot] = undefined;
      slotOf.delete(key);
      free.push(slot);
    }
    if (gone.size > 0) follower.removed(gone);
  }

  /** Keeps what says the same as before, under the new object and place; names the others. */
  function keep(wanted: ReadonlyMap<string, SearchDocument>): Set<string> {
    const gone = new Set(slotOf.keys());
    for (const [order, document] of [...wanted.values()].entries()) {
      const slot = slotOf.get(document.key) ?? -1;
      const entry = entries[slot];
      if (entry === undefined || !saysTheSame(entry.document, document)) continue;
      entries[slot] = { document, analysis: entry.analysis, order };
      gone.delete(document.key);
    }
    return gone;
  }

  return {
    update(documents) {
      const wanted = new Map(documents.map((document) => [document.key, document]));
      const gone = keep(wanted);
      drop(gone);
      let analysed = 0;
      for (const [order, document] of [...wanted.values()].entries()) {
        if (slotOf.has(document.key)) continue;
        put(document, order);
        analysed++;
      }
      if (analysed + gone.size > 0) version++;
      return { analysed, removed: gone.size, kept: wanted.size - analysed };
    },
    at: (slot) => entries[slot],
    byKey: (key) => entries[slotOf.get(key) ?? -1],
    slots: () => entries.length,
    entries: () => entries.filter((entry) => entry !== undefined),
    version: () => version,
  };
}
