import type { Clock } from '../domain/index.ts';
import type { Database, StateError } from '../state/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { INSERT_ROW, type LedgerRow, valuesOf } from './ledger-row.ts';
import { createRetention, type RetentionLimits } from './retention.ts';
import type { HeldTexts } from './text-allowance.ts';
import { textTokensOf } from './text-tokens.ts';
import type { TokenCounter } from './token-counter.ts';

export interface WaitingRow {
  readonly row: LedgerRow;
  readonly texts: HeldTexts;
}

export interface LedgerWriter {
  /**
   * Counts the texts and writes the rows, and the number of those that were left out.
   *
   * @throws StateError when nothing was written
   */
  write(rows: readonly WaitingRow[], unrecorded: number): Promise<void>;
}

export interface LedgerWriterDeps {
  readonly database: Database;
  readonly counter: Pick<TokenCounter, 'tokenizer' | 'count'>;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly epochNow: () => number;
  readonly logger: Logger;
  readonly limits: RetentionLimits;
  /** Told the tokens of each answer of a search once it is written, with the profile it was for. */
  readonly onSearchAnswer?: ((profile: string, tokens: number) => void) | undefined;
}

// What these take is far below the smallest bound worth setting.
const SWEEP_ROWS = 5_000;
const SWEEP_MS = 600_000;

const INSERT_UNRECORDED = `INSERT INTO unrecorded_requests (time_ms, requests) VALUES (?, ?)`;

export function createLedgerWriter(deps: LedgerWriterDeps): LedgerWriter {
  const { database, counter, clock, epochNow, logger } = deps;
  const retention = createRetention(database, deps.limits, epochNow);
  let rowsSinceSweep = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;
  let isSweeping = false;

  const uncounted = (error: unknown): void =>
    logger.warnLimited(
      'ledger texts',
      { err: error },
      'tokens of answers cannot be counted; the ledger says so',
    );
  const sweep = async (): Promise<void> => {
    isSweeping = true;
    [rowsSinceSweep, sweptAt] = [0, clock.now()];
    try {
      await retention.sweep();
    } catch (error) {
      // A sweep that a stop interrupts goes on after the next start.
      if ((error as StateError).code !== 'STATE_CLOSED') {
        logger.warnLimited('ledger size', { err: error }, 'old requests cannot be deleted from the ledger');
      }
    }
    isSweeping = false;
  };

  return {
    write: async (rows, unrecorded) => {
      const tokens = await textTokensOf(
        rows.map(({ texts }) => texts),
        counter.count,
        uncounted,
      );
      const nothing = { searchAnswer: undefined, result: undefined };
      const values = rows.map(({ row }, index) => valuesOf(row, counter.tokenizer, tokens[index] ?? nothing));
      await database.write([
        { sql: INSERT_ROW, rows: values },
        { sql: INSERT_UNRECORDED, rows: unrecorded === 0 ? [] : [[Math.round(epochNow()), unrecorded]] },
      ]);
      rows.forEach(({ row }, index) => {
        const counted = tokens[index]?.searchAnswer;
        if (typeof counted === 'number') deps.onSearchAnswer?.(row.profile, counted);
      });
      rowsSinceSweep += rows.length;
      const isDue = rowsSinceSweep >= SWEEP_ROWS || clock.now() - sweptAt >= SWEEP_MS;
      if (isDue && !isSweeping) void sweep();
    },
  };
}
