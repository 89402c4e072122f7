import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createLedger,
  createReports,
  type Ledger,
  type LedgerDeps,
  type LedgerRow,
} from '../../../src/accounting/index.ts';
import { systemClock } from '../../../src/domain/index.ts';
import { type Database, openDatabase, StateError } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/accounting.ts';
import { temporaryFolder } from '../state/temporary-folder.ts';
import { type ManualClock, manualClock } from '../upstream/manual-clock.ts';
import { type RecordingLogger, recordingLogger } from './recording-logger.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 30, 12);

const row = (overrides: Partial<LedgerRow> = {}): LedgerRow => ({
  timeMs: NOW,
  principal: 'anonymous',
  profile: 'default',
  client: 'agent/1.0',
  era: 'modern',
  method: 'tools/call',
  tool: 'site__search_site',
  server: 'site',
  requestBytes: 100,
  responseBytes: 1_000,
  durationMs: 2.5,
  outcome: 'ok',
  ...overrides,
});

interface Fixture {
  readonly ledger: Ledger;
  readonly database: Database;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly folder: string;
}

const characters: LedgerDeps['counter'] = {
  tokenizer: 'o200k_base',
  count: async (texts) => texts.map((text) => text.length),
};

async function fixture(overrides: Partial<LedgerDeps> = {}): Promise<Fixture> {
  const folder = await temporaryFolder();
  const database = openDatabase({ folder, clock: systemClock, onSetAside: () => undefined });
  const [clock, logger] = [manualClock(), recordingLogger()];
  const limits = { maxDays: 90, maxBytes: 200_000_000 };
  const epochNow = (): number => NOW;
  const ledger = createLedger({
    database,
    counter: characters,
    clock,
    epochNow,
    logger,
    limits,
    ...overrides,
  });
  onTestFinished(async () => {
    await ledger.close();
    await database.close();
  });
  return { ledger, database, clock, logger, folder };
}

const countIn = async (database: Database): Promise<number> =>
  Number((await database.all('SELECT count(*) FROM requests'))[0]?.[0]);

/** A database whose writes fail as long as the test says so. */
function failing(database: Database): Database & { isFailing: boolean } {
  const wrapped = {
    ...database,
    isFailing: true,
    write: async (work: Parameters<Database['write']>[0]) => {
      if (wrapped.isFailing) throw new StateError('STATE_FAILED', 'the disk is full');
      return database.write(work);
    },
  };
  return wrapped;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await nextTurn();
}

describe('the ledger', () => {
  it('writes what was recorded a moment later, column by column', async () => {
    const { ledger, database, clock } = await fixture();
    const full = row({
      definitionTokens: 300,
      metaToolTokens: 200,
      visibleTokens: 5_000,
      isCached: true,
      era: 'legacy',
    });
    ledger.record(full, { searchAnswer: 'seven..' });
    clock.advance(999);
    await nextTurn();
    expect(await countIn(database)).toBe(0);
    clock.advance(1);
    await until(async () => (await countIn(database)) === 1);
    expect(await database.all('SELECT * FROM requests')).toEqual([
      [
        ...[NOW, 'anonymous', 'default', 'agent/1.0', 'legacy', 'tools/call', 'site__search_site', 'site'],
        ...['o200k_base', 300, 200, 5_000, 7, null, 100, 1_000, 2.5, 1, 'ok'],
      ],
    ]);
  });

  it('writes a full batch at once, and the rest when it is closed', async () => {
    const { ledger, database, clock } = await fixture();
    for (let index = 0; index < 1_234; index++) ledger.record(row());
    clock.advance(0);
    await until(async () => (await countIn(database)) === 1_234);
    ledger.record(row());
    await ledger.close();
    ledger.record(row());
    expect(await countIn(database)).toBe(1_235);
  });

  it(verifies('accounting:ledger:off-the-path'), async () => {
    const { database, clock: _clock } = await fixture();
    const broken = failing(database);
    const { ledger, clock, logger } = await fixture({ database: broken });
    for (let index = 0; index < 2_000; index++) expect(ledger.record(row())).toBeUndefined();
    await ledger.flush();
    expect(logger.warnings[0]).toMatchObject({
      message: 'requests cannot be recorded',
      fields: { waiting: 2_000, err: { code: 'STATE_FAILED' } },
    });
    broken.isFailing = false;
    clock.advance(5_000);
    await until(async () => (await countIn(database)) === 2_000);
  });

  it(verifies('accounting:ledger:honest-gaps'), async () => {
    const { database } = await fixture();
    const broken = failing(database);
    const { ledger, logger } = await fixture({
      database: broken,
      limits: { maxDays: 90, maxBytes: 1e9, maxWaitingRows: 3 },
      counter: { ...characters, count: async () => Promise.reject(new Error('no counter')) },
    });
    for (let index = 0; index < 10; index++) ledger.record(row(), { searchAnswer: 'text', result: 'text' });
    await ledger.flush();
    broken.isFailing = false;
    await ledger.flush();
    const { rows, unrecorded } = await createReports(database).report({ by: 'total' });
    expect(unrecorded).toBe(7);
    expect(rows[0]).toMatchObject({
      requests: 3,
      searchAnswersUncounted: 3,
      resultsCounted: 0,
      resultTokens: 0,
    });
    expect(logger.warnings.map(({ message }) => message)).toContain(
      'tokens of answers cannot be counted; the ledger says so',
    );
  });

  it('says at the end how many requests it could not write', async () => {
    const { database } = await fixture();
    const { ledger, logger } = await fixture({ database: failing(database) });
    ledger.record(row());
    await ledger.close();
    expect(logger.warnings.at(-1)).toEqual({
      message: 'requests were left out of the ledger',
      fields: { requests: 1 },
    });
  });

  it('counts texts up to a size, and holds no more of them than its allowance', async () => {
    const { ledger, database } = await fixture();
    const large = Buffer.alloc(262_144, 'x');
    ledger.record(row(), { result: large });
    ledger.record(row(), { result: Buffer.alloc(262_145, 'x'), searchAnswer: 'abc' });
    for (let index = 0; index < 40; index++) ledger.record(row({ server: 'many' }), { result: large });
    await ledger.flush();
    ledger.record(row({ server: 'later' }), { result: large });
    await ledger.flush();
    const columns = 'search_answer_tokens, result_tokens';
    expect(await database.all(`SELECT ${columns} FROM requests WHERE server = 'site'`)).toEqual([
      [0, 262_144],
      [3, null],
    ]);
    expect(
      await database.all(`SELECT count(*), count(result_tokens) FROM requests WHERE server = 'many'`),
    ).toEqual([[40, 30]]);
    expect(await database.all(`SELECT ${columns} FROM requests WHERE server = 'later'`)).toEqual([
      [0, 262_144],
    ]);
  });

  it(verifies('accounting:ledger:no-content'), async () => {
    const { ledger, database, folder } = await fixture();
    const secret = 'a-sentence-that-nobody-may-find';
    ledger.record(row(), { searchAnswer: secret, result: Buffer.from(secret) });
    ledger.record(row({ client: 'c'.repeat(10_000) }));
    await ledger.close();
    await database.close();
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
    expect(files.some((bytes) => bytes.includes('site__search_site'))).toBe(true);
    expect(files.some((bytes) => bytes.includes(secret))).toBe(false);
    expect(files.some((bytes) => bytes.includes('c'.repeat(200)))).toBe(false);
  });
});

describe('the bounds of the ledger', () => {
  it(verifies('accounting:ledger:bounded'), async () => {
    const maxBytes = 500_000;
    const { ledger, database, folder } = await fixture({ limits: { maxDays: 30, maxBytes } });
    ledger.record(row({ timeMs: NOW - 31 * DAY_MS, server: 'too-old' }));
    ledger.record(row({ timeMs: NOW - 29 * DAY_MS, server: 'old-enough' }));
    await ledger.flush();
    const has = async (server: string): Promise<boolean> =>
      (await database.all('SELECT 1 FROM requests WHERE server = ? LIMIT 1', [server])).length > 0;
    await until(async () => !(await has('too-old')));
    expect(await has('old-enough')).toBe(true);

    for (let index = 0; index < 15_000; index++) ledger.record(row({ timeMs: NOW + index }));
    await ledger.flush();
    await until(async () => (await usedBytes(database)) <= maxBytes);
    expect(await has('old-enough')).toBe(false);
    const [newest] = await database.all('SELECT max(time_ms), count(*) FROM requests');
    expect(newest?.[0]).toBe(NOW + 14_999);
    expect(newest?.[1]).toBeGreaterThan(1_000);
    await ledger.close();
    await database.close();
    expect((await stat(join(folder, 'tollgate.db'))).size).toBeLessThan(maxBytes + 2_500_000);
  });

  it('end a sweep that finds nothing to delete', async () => {
    const { ledger, database, logger } = await fixture({ limits: { maxDays: 30, maxBytes: 1 } });
    ledger.record(row());
    await ledger.flush();
    await until(async () => (await countIn(database)) === 0);
    await ledger.close();
    await database.close();
    expect(logger.warnings).toEqual([]);
  });
});

async function usedBytes(database: Database): Promise<number> {
  const [row] = await database.all(
    'SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size',
  );
  return Number(row?.[0]);
}
