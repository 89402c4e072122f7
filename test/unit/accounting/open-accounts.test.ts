import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  type Accounts,
  type AccountsDeps,
  type LedgerRow,
  openAccounts,
  reportOnce,
} from '../../../src/accounting/index.ts';
import { systemClock } from '../../../src/domain/index.ts';
import { StateError } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/accounting.ts';
import { temporaryFolder } from '../state/temporary-folder.ts';
import { recordingLogger } from './recording-logger.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

const row: LedgerRow = {
  timeMs: NOW,
  principal: 'anonymous',
  profile: 'review',
  era: 'modern',
  method: 'tools/call',
  tool: 'search_tools',
  requestBytes: 100,
  responseBytes: 1_000,
  durationMs: 2.5,
  outcome: 'ok',
};

const threads = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;

interface Fixture {
  readonly accounts: Accounts;
  readonly deps: AccountsDeps;
  readonly answers: readonly (readonly [string, number])[];
}

async function fixture(isEnabled = true): Promise<Fixture> {
  const answers: (readonly [string, number])[] = [];
  const stateDir = join(await temporaryFolder(), 'state');
  const ledger = { enabled: isEnabled, maxDays: 90, maxBytes: 200_000_000 };
  const deps: AccountsDeps = {
    config: { stateDir, accounting: { tokenizer: 'o200k_base', ledger, countResults: false } },
    clock: systemClock,
    epochNow: () => NOW,
    logger: recordingLogger(),
    onSearchAnswer: (...answer) => answers.push(answer),
  };
  return { accounts: openAccounts(deps), deps, answers };
}

describe('openAccounts', () => {
  it(verifies('accounting:close:everything'), async () => {
    const before = threads();
    const { accounts, deps } = await fixture();
    const startedAt = performance.now();
    await accounts.close();
    expect(existsSync(deps.config.stateDir)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(500);

    const used = openAccounts(deps);
    used.ledger?.record(row);
    await used.counter.costsOf(['some text']);
    expect(threads()).toBeGreaterThan(before);
    await used.close();
    expect(threads()).toBe(before);
    const { rows } = await reportOnce(deps, { by: 'total' });
    expect(rows.map(({ requests }) => requests)).toEqual([1]);
    expect(threads()).toBe(before);
  });

  it('reports what was recorded a moment ago, and tells what answers of searches cost, once each', async () => {
    const { accounts, answers } = await fixture();
    accounts.ledger?.record(row, { searchAnswer: 'some words of an answer' });
    accounts.ledger?.record(row, { result: 'a result' });
    const { rows } = await accounts.report({ by: 'total' });
    expect(rows).toMatchObject([{ requests: 2, searchAnswerTokens: 5, resultTokens: 2 }]);
    expect(answers).toEqual([['review', 5]]);
    await accounts.close();
  });

  it('records nothing where the configuration says so, and still counts', async () => {
    const { accounts, deps } = await fixture(false);
    expect(accounts.ledger).toBeUndefined();
    expect(await accounts.counter.costsOf(['some text'])).toEqual([2]);
    await accounts.close();
    expect((await reportOnce(deps, { by: 'total' })).rows).toEqual([]);
  });

  it('warns and rejects when the file cannot be read', async () => {
    const { deps } = await fixture();
    const logger = recordingLogger();
    const accounts = openAccounts({
      ...deps,
      logger,
      config: { ...deps.config, stateDir: '/dev/null/none' },
    });
    await expect(accounts.report({ by: 'total' })).rejects.toThrow(StateError);
    expect(logger.warnings.map(({ message }) => message)).toEqual(['the ledger cannot be read']);
    await accounts.close();
  });

  it('says so when a damaged file was set aside', async () => {
    const { accounts, deps } = await fixture();
    accounts.ledger?.record(row);
    await accounts.close();
    const [name = ''] = readdirSync(deps.config.stateDir);
    const path = join(deps.config.stateDir, name);
    const bytes = readFileSync(path);
    bytes.fill(7);
    writeFileSync(path, bytes);
    const logger = recordingLogger();
    expect((await reportOnce({ ...deps, logger }, { by: 'total' })).rows).toEqual([]);
    expect(logger.warnings.map(({ message }) => message)).toEqual([
      'the state file was damaged; it was set aside and a new one begun',
    ]);
  });
});
