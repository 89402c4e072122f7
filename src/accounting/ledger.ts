import type { Clock } from '../domain/index.ts';
import type { LedgerRow } from './ledger-row.ts';
import { createLedgerWriter, type LedgerWriterDeps } from './ledger-writer.ts';
import type { RetentionLimits } from './retention.ts';
import { BATCH_ROWS, createRowQueue } from './row-queue.ts';
import type { CountedTexts } from './text-allowance.ts';

/** Where every request leaves a row. */
export interface Ledger {
  /**
   * Takes a row at once: never throws, never waits. Rows are written in batches a little later; when they cannot
   * be, the newest are left out, and their number is kept.
   */
  record(row: LedgerRow, texts?: CountedTexts): void;
  /** Resolves when everything recorded so far is written, or could not be. */
  flush(): Promise<void>;
  /** Writes what is left, for a bounded time, and takes nothing more. Leaves the database open. */
  close(): Promise<void>;
}

export interface LedgerLimits extends RetentionLimits {
  /** Rows that may wait to be written. */
  readonly maxWaitingRows?: number;
}

export interface LedgerDeps extends LedgerWriterDeps {
  readonly limits: LedgerLimits;
}

const WRITE_DELAY_MS = 1_000;
const RETRY_MS = 5_000;
const CLOSE_MS = 2_000;
// About 6 MB.
const MAX_WAITING_ROWS = 20_000;

export function createLedger(deps: LedgerDeps): Ledger {
  const { clock, logger, limits } = deps;
  const queue = createRowQueue(createLedgerWriter(deps), limits.maxWaitingRows ?? MAX_WAITING_ROWS);
  let cancelTimer: (() => void) | undefined;
  let draining: Promise<void> | undefined;
  let isClosed = false;

  const hasWork = (): boolean => queue.waiting > 0 || queue.unrecorded > 0;
  const drain = async (): Promise<void> => {
    try {
      while (hasWork()) await queue.writeBatch();
      draining = undefined;
    } catch (error) {
      draining = undefined;
      logger.warnLimited('ledger', { err: error, waiting: queue.waiting }, 'requests cannot be recorded');
      if (!isClosed) schedule(RETRY_MS);
    }
  };
  const drainOnce = async (): Promise<void> => {
    if (draining === undefined && hasWork()) draining = drain();
    await draining;
  };
  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = clock.after(delayMs, () => {
      cancelTimer = undefined;
      void drainOnce();
    });
  };

  return {
    record: (row, texts) => {
      if (isClosed || !queue.add(row, texts) || draining !== undefined) return;
      if (queue.waiting === BATCH_ROWS) schedule(0);
      else if (cancelTimer === undefined) schedule(WRITE_DELAY_MS);
    },
    flush: drainOnce,
    close: async () => {
      isClosed = true;
      cancelTimer?.();
      await withinTime(clock, CLOSE_MS, drainOnce());
      const requests = queue.waiting + queue.unrecorded;
      if (requests > 0) logger.warn({ requests }, 'requests were left out of the ledger');
    },
  };
}

function withinTime(clock: Clock, limitMs: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(limitMs, resolve);
    void work.finally(() => {
      cancel();
      resolve();
    });
  });
}
