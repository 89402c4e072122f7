import type { Clock } from '../domain/index.ts';
import { createThread, type Thread, threadModule } from '../state/index.ts';
import type { Logger } from '../telemetry/index.ts';
import type { CostStore } from './cost-store.ts';
import { createCostFinder } from './cost-finder.ts';
import { createCostKeeper } from './cost-keeper.ts';
import { createCostMemory } from './cost-memory.ts';
import { createCountQueue, TokenCountError } from './count-queue.ts';
import { digestOf, digestsOf } from './digests.ts';
import type { CountedForm } from './token-worker.ts';
import type { TokenizerName } from './tokenizer-names.ts';

/** Counts tokens in a thread of its own. What was counted once is never counted again. */
export interface TokenCounter {
  /** Stands beside every figure. */
  readonly tokenizer: TokenizerName;
  /**
   * The cost of each text, in order. For tools, `definition` takes their JSON as listed and counts the compact
   * JSON of name, description and inputSchema; `text`, the default, counts what it is given.
   *
   * @throws TokenCountError for all of them together, so ask for those of one server at a time
   */
  costsOf(texts: readonly string[], form?: CountedForm): Promise<readonly number[]>;
  /** The cost if it is in memory. Hashes the text where it stands: not for large texts on the path of a request. */
  cached(text: string, form?: CountedForm): number | undefined;
  /** Counts without keeping anything, not even a digest. */
  count(texts: readonly (string | Uint8Array)[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

export interface TokenCounterDeps {
  /** Without it, costs are kept in memory only. */
  readonly store?: CostStore;
  readonly tokenizer: TokenizerName;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where to count; a thread of the counter's own when absent. */
  readonly thread?: Thread;
}

// Counting starts rarely: at a start, and when a server changes its list.
const IDLE_MS = 15_000;

// A vocabulary takes about 50 MB, a quarter of a million characters a few more.
const HEAP_MB = 512;

export function createTokenCounter(deps: TokenCounterDeps): TokenCounter {
  const { store, tokenizer, logger, clock, thread = countingThread(clock) } = deps;
  const queue = createCountQueue(thread, tokenizer);
  const memory = createCostMemory();
  const keeper = createCostKeeper({ store, tokenizer, logger });
  const finder = createCostFinder({ memory, keeper, queue });
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new TokenCountError(tokenizer, 'the counter is closed');
  };
  return {
    tokenizer,
    costsOf: async (texts, form = 'text') => {
      assertOpen();
      const digests = await digestsOf(texts, form, clock.now);
      const costs = await finder.find(
        new Map(digests.map((digest, index) => [digest, texts[index] ?? ''])),
        form,
      );
      return digests.map((digest) => costs.get(digest) ?? Number.NaN);
    },
    cached: (text, form = 'text') => memory.get(digestOf(text, form)),
    count: async (texts) => {
      assertOpen();
      return queue.count(texts, 'text');
    },
    close: async () => {
      isClosed = true;
      await thread.stop();
      await keeper.settled();
    },
  };
}

const countingThread = (clock: Clock): Thread =>
  createThread({
    module: threadModule(import.meta.url, 'accounting/token-worker'),
    idleMs: IDLE_MS,
    heapMb: HEAP_MB,
    clock,
  });
