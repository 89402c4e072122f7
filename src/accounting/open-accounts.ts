import type { GatewayConfig } from '../config/index.ts';
import type { Clock } from '../domain/index.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../state/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { createCostStore } from './cost-store.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createReports, type Report, type ReportQuery } from './reports.ts';
import { createTokenCounter, type TokenCounter } from './token-counter.ts';

/** What tokens cost, what requests leave behind, and what is told of it: over one state file. */
export interface Accounts {
  readonly counter: TokenCounter;
  /** Undefined where the configuration keeps none. */
  readonly ledger: Ledger | undefined;
  /** Over everything recorded so far. @throws StateError */
  report(query: ReportQuery): Promise<Report>;
  /** Writes what is left, for a bounded time, and ends every thread. */
  close(): Promise<void>;
}

export interface AccountsDeps {
  readonly config: Pick<GatewayConfig, 'stateDir' | 'accounting'>;
  readonly clock: Clock;
  /** Milliseconds since the epoch. */
  readonly epochNow: () => number;
  readonly logger: Logger;
  /** Told the tokens of each answer of a search once it is recorded, with the profile it was for. */
  readonly onSearchAnswer?: (profile: string, tokens: number) => void;
}

/** Composes the room; no file is opened and no thread started before something is counted, recorded or asked. */
export function openAccounts(deps: AccountsDeps): Accounts {
  const { config, clock, epochNow, logger, onSearchAnswer } = deps;
  const { tokenizer, ledger: kept } = config.accounting;
  const options = stateOptions(deps);
  const database = openDatabase(options);
  // Of their own, so that rows never wait behind a report.
  const reportDatabase = openDatabase(options);
  const store = createCostStore({ database, epochNow });
  const counter = createTokenCounter({ store, tokenizer, logger, clock });
  const reports = createReports(reportDatabase);
  const limits = { maxDays: kept.maxDays, maxBytes: kept.maxBytes };
  const ledger = kept.enabled
    ? createLedger({ database, counter, clock, epochNow, logger, limits, onSearchAnswer })
    : undefined;
  return {
    counter,
    ledger,
    report: async (query) => {
      await ledger?.flush();
      try {
        return await reports.report(query);
      } catch (error) {
        logger.warnLimited('ledger report', { err: error }, 'the ledger cannot be read');
        throw error;
      }
    },
    close: async () => {
      await ledger?.close();
      await counter.close();
      await Promise.all([database.close(), reportDatabase.close()]);
    },
  };
}

/** The ledger as a command reads it: another process may be writing to it. */
export async function reportOnce(deps: AccountsDeps, query: ReportQuery): Promise<Report> {
  const database: Database = openDatabase(stateOptions(deps));
  try {
    return await createReports(database).report(query);
  } finally {
    await database.close();
  }
}

const stateOptions = ({ config, clock, logger }: AccountsDeps): DatabaseOptions => ({
  folder: config.stateDir,
  clock,
  onSetAside: ({ path, setAside, reason }) =>
    logger.warn(
      { path, setAside, reason },
      'the state file was damaged; it was set aside and a new one begun',
    ),
});
