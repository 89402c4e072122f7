import { analyse, type Analysis } from './analysis.ts';
import { saysTheSame, type SearchDocument } from './document.ts';
import { createPostings, type Postings } from './postings.ts';

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

/** The analysed documents, by slot. Slots are reused, so that the lists of the index stay small. */
export interface Collection {
  readonly postings: Postings;
  update(documents: readonly SearchDocument[]): UpdateReport;
  at(slot: number): Entry | undefined;
  slots(): number;
  entries(): Iterable<Entry>;
  /** Grows by one with every update that changed something. */
  version(): number;
}

export function createCollection(): Collection {
  const postings = createPostings();
  const entries: (Entry | undefined)[] = [];
  const slotOf = new Map<string, number>();
  const free: number[] = [];
  let version = 0;

  function put(document: SearchDocument, order: number): void {
    const slot = free.pop() ?? entries.length;
    const analysis = analyse(document);
    entries[slot] = { document, analysis, order };
    slotOf.set(document.key, slot);
    postings.add(slot, analysis);
  }

  function drop(keys: Iterable<string>): void {
    const gone = new Map<number, Analysis>();
    for (const key of keys) {
      const slot = slotOf.get(key);
      const entry = slot === undefined ? undefined : entries[slot];
      if (slot === undefined || entry === undefined) continue;
      gone.set(slot, entry.analysis);
      entries[slot] = undefined;
      slotOf.delete(key);
      free.push(slot);
    }
    if (gone.size > 0) postings.remove(gone);
  }

  /** Keeps what says the same as before under the new object and place; names the others. */
  function keep(wanted: ReadonlyMap<string, SearchDocument>): Set<string> {
    const gone = new Set(slotOf.keys());
    let order = 0;
    for (const [key, document] of wanted) {
      const slot = slotOf.get(key);
      const entry = slot === undefined ? undefined : entries[slot];
      if (slot !== undefined && entry !== undefined && saysTheSame(entry.document, document)) {
        entries[slot] = { document, analysis: entry.analysis, order };
        gone.delete(key);
      }
      order++;
    }
    return gone;
  }

  return {
    postings,
    update(documents) {
      const wanted = new Map(documents.map((document) => [document.key, document]));
      const gone = keep(wanted);
      drop(gone);
      let analysed = 0;
      let order = 0;
      for (const document of wanted.values()) {
        if (!slotOf.has(document.key)) {
          put(document, order);
          analysed++;
        }
        order++;
      }
      if (analysed + gone.size > 0) version++;
      return { analysed, removed: gone.size, kept: wanted.size - analysed };
    },
    at: (slot) => entries[slot],
    slots: () => entries.length,
    entries: () => entries.filter((entry) => entry !== undefined),
    version: () => version,
  };
}
