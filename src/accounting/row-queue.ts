import type { LedgerRow } from './ledger-row.ts';
import type { LedgerWriter, WaitingRow } from './ledger-writer.ts';
import { type CountedTexts, createTextAllowance, NO_TEXTS } from './text-allowance.ts';

/** Rows that wait to be written: a bounded number. */
export interface RowQueue {
  /** False when the row is left out, because too many wait. */
  add(row: LedgerRow, texts: CountedTexts | undefined): boolean;
  /** Writes the oldest rows. They stay in the queue when it rejects. */
  writeBatch(): Promise<void>;
  readonly waiting: number;
  /** Rows that were left out since the last batch. */
  readonly unrecorded: number;
}

export const BATCH_ROWS = 500;

export function createRowQueue(writer: LedgerWriter, maxWaiting: number): RowQueue {
  const allowance = createTextAllowance();
  let rows: WaitingRow[] = [];
  let unrecorded = 0;
  return {
    get waiting() {
      return rows.length;
    },
    get unrecorded() {
      return unrecorded;
    },
    add: (row, texts) => {
      if (rows.length >= maxWaiting) {
        unrecorded += 1;
        return false;
      }
      rows.push({ row, texts: texts === undefined ? NO_TEXTS : allowance.admit(texts) });
      return true;
    },
    writeBatch: async () => {
      const batch = rows.slice(0, BATCH_ROWS);
      const leftOut = unrecorded;
      await writer.write(batch, leftOut);
      rows = rows.slice(batch.length);
      unrecorded -= leftOut;
      for (const { texts } of batch) allowance.release(texts);
    },
  };
}
