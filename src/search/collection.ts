import { type Analysis, createAnalyser, type Analyser } from './analyser.ts';
import { saysTheSame, type SearchDocument } from './document.ts';
import { createExactNames, type ExactNames } from './exact-names.ts';
import { createPostings, type Postings, rarity } from './postings.ts';

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
  readonly analyser: Analyser;
  readonly names: ExactNames;
  /** How telling a term is, among tools. */
  rarity(term: string): number;
  /** How telling a term is among the names of servers; nothing when it is in none. */
  serverRarity(term: string): number;
  update(documents: readonly SearchDocument[]): UpdateReport;
  at(slot: number): Entry | undefined;
  slots(): number;
  entries(): Iterable<Entry>;
  /** Grows by one with every update that changed something. */
  version(): number;
}

export function createCollection(): Collection {
  const postings = createPostings();
  const analyser = createAnalyser();
  const servers = createServerNames(analyser);
  const names = createExactNames();
  const entries: (Entry | undefined)[] = [];
  const slotOf = new Map<string, number>();
  const free: number[] = [];
  let version = 0;

  function put(document: SearchDocument, order: number): void {
    const slot = free.pop() ?? entries.length;
    const analysis = analyser.analyse(document);
    servers.add(document.server);
    names.add(slot, document);
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
      servers.remove(entry.document.server);
      names.remove(slot, entry.document);
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
    analyser,
    names,
    rarity: (term) => rarity(postings.holders(term), postings.size()),
    serverRarity: (term) => servers.rarity(term),
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

/** The servers of the documents, and which of them hold a term in their name. */
function createServerNames(analyser: Analyser) {
  const tools = new Map<string, number>();
  const holders = new Map<string, number>();

  function tally(server: string, change: 1 | -1): void {
    const { terms, extra } = analyser.termsOf(server);
    for (const term of new Set([...terms, ...extra])) holders.set(term, (holders.get(term) ?? 0) + change);
  }

  return {
    add(server: string): void {
      const before = tools.get(server) ?? 0;
      tools.set(server, before + 1);
      if (before === 0) tally(server, 1);
    },
    remove(server: string): void {
      const after = (tools.get(server) ?? 0) - 1;
      if (after > 0) tools.set(server, after);
      else if (tools.delete(server)) tally(server, -1);
    },
    rarity: (term: string): number => rarity(holders.get(term) ?? 0, tools.size),
  };
}
