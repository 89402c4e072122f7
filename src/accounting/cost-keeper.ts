import type { Logger } from '../telemetry/index.ts';
import type { CostStore } from './cost-store.ts';

/** Costs by the digest of what was counted. */
export type Costs = ReadonlyMap<string, number>;

/** The store as the counter uses it: a fault of the file costs time, because counts are made anew, and no more. */
export interface CostKeeper {
  /** Never rejects. */
  load(digests: readonly string[]): Promise<Costs>;
  /** Returns at once; the costs are written in the background. */
  save(costs: Costs): void;
  /** Resolves when everything in the background is done. */
  settled(): Promise<void>;
}

export interface CostKeeperDeps {
  readonly store: CostStore | undefined;
  readonly tokenizer: string;
  readonly logger: Logger;
}

export function createCostKeeper({ store, tokenizer, logger }: CostKeeperDeps): CostKeeper {
  const running = new Set<Promise<void>>();
  const warn = (error: unknown): void =>
    logger.warnLimited(
      'token costs',
      { err: error },
      'token costs cannot be kept, and will be counted again',
    );
  const inBackground = (work: Promise<void> | undefined): void => {
    if (work === undefined) return;
    const settled = work.catch(warn).finally(() => running.delete(settled));
    running.add(settled);
  };
  return {
    load: async (digests) => {
      if (store === undefined) return new Map();
      try {
        const costs = await store.load(tokenizer, digests);
        if (costs.size > 0) inBackground(store.touch(tokenizer, [...costs.keys()]));
        return costs;
      } catch (error) {
        warn(error);
        return new Map();
      }
    },
    save: (costs) => inBackground(store?.save(tokenizer, costs)),
    settled: async () => {
      await Promise.all(running);
    },
  };
}
