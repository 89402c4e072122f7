import type { CostKeeper, Costs } from './cost-keeper.ts';
import type { CostMemory } from './cost-memory.ts';
import type { CountQueue } from './count-queue.ts';
import type { CountedForm } from './token-worker.ts';

/** Finds costs wherever they are: in memory, in the making, in the store; what is nowhere is counted. */
export interface CostFinder {
  /** @throws TokenCountError */
  find(texts: ReadonlyMap<string, string>, form: CountedForm): Promise<Costs>;
}

export interface CostFinderDeps {
  readonly memory: CostMemory;
  readonly keeper: CostKeeper;
  readonly queue: CountQueue;
}

/** A digest and its text. */
type Item = readonly [string, string];

// What is saved in one go, so that a stop in the middle of a large catalog loses little.
const BATCH_CHARACTERS = 262_144;

export function createCostFinder({ memory, keeper, queue }: CostFinderDeps): CostFinder {
  const inFlight = new Map<string, Promise<Costs>>();

  const count = async (batch: readonly Item[], form: CountedForm): Promise<Costs> => {
    const texts = batch.map(([, text]) => text);
    const counts = await queue.count(texts, form);
    const costs = new Map(batch.map(([digest], index) => [digest, counts[index] ?? Number.NaN]));
    keeper.save(costs);
    return costs;
  };
  const loadOrCount = async (texts: ReadonlyMap<string, string>, form: CountedForm): Promise<Costs> => {
    const stored = await keeper.load([...texts.keys()]);
    const missing = [...texts].filter(([digest]) => !stored.has(digest));
    const counted = await Promise.all(batches(missing).map((batch) => count(batch, form)));
    const costs = new Map([stored, ...counted].flatMap((part) => [...part]));
    for (const [digest, tokens] of costs) memory.set(digest, tokens);
    return costs;
  };
  const begin = (texts: ReadonlyMap<string, string>, form: CountedForm): void => {
    const finding = loadOrCount(texts, form).finally(() => {
      for (const digest of texts.keys()) inFlight.delete(digest);
    });
    for (const digest of texts.keys()) inFlight.set(digest, finding);
  };

  return {
    find: async (texts, form) => {
      const known = new Map<string, number>();
      const missing = new Map<string, string>();
      for (const [digest, text] of texts) {
        const tokens = memory.get(digest);
        if (tokens !== undefined) known.set(digest, tokens);
        else if (!inFlight.has(digest)) missing.set(digest, text);
      }
      if (missing.size > 0) begin(missing, form);
      const awaited = new Set([...texts.keys()].flatMap((digest) => inFlight.get(digest) ?? []));
      const parts = await Promise.all(awaited);
      return new Map([known, ...parts].flatMap((part) => [...part]));
    },
  };
}

function batches(items: readonly Item[]): Item[][] {
  const result: Item[][] = [];
  let batch: Item[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && characters + item[1].length > BATCH_CHARACTERS) {
      result.push(batch);
      [batch, characters] = [[], 0];
    }
    batch.push(item);
    characters += item[1].length;
  }
  return batch.length === 0 ? result : [...result, batch];
}
