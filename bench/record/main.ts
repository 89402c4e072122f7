// What it costs a request to be recorded: the observer of ended requests, with and without the ledger.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, openAccounts } from '../../src/accounting/index.ts';
import { parseConfig } from '../../src/config/index.ts';
import { serverId, systemClock } from '../../src/domain/index.ts';
import type { Outcome, OutcomeListener } from '../../src/downstream/index.ts';
import { requestObserver } from '../../src/request-observer.ts';
import { createLogger, createMetrics, createTokenMetrics } from '../../src/telemetry/index.ts';

const ROUNDS = 300;
// Fewer than a batch, so that a round holds what a request costs; the writing is timed by itself.
const REQUESTS = 400;

const outcome = (index: number): Outcome => ({
  host: {
    principal: { id: 'anonymous', profile: 'default' },
    era: 'modern',
    protocolVersion: '2026-07-28',
    capabilities: {},
    clientInfo: { name: 'host', version: '1.0.0' },
    sessionKey: undefined,
    logLevel: undefined,
  },
  method: 'tools/call',
  notes: { upstream: serverId('site'), name: 'search_site', tool: 'site__search_site' },
  status: 'ok',
  durationMs: 1 + index / REQUESTS,
  requestBytes: 300,
  responseBytes: 2_000,
  error: undefined,
});

const logger = createLogger({ level: 'warn', format: 'json' });

function observer(ledger: Accounts['ledger']): OutcomeListener {
  const tokenMetrics = createTokenMetrics({ tokenizer: 'o200k_base', countsSearchAnswers: true });
  return requestObserver({ logger, metrics: createMetrics(), tokenMetrics, ledger, epochNow: Date.now });
}

const percentile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN);

/** Nanoseconds a request, of many rounds. */
async function measure(observe: OutcomeListener, rest: () => Promise<void>): Promise<readonly number[]> {
  const nanoseconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const outcomes = Array.from({ length: REQUESTS }, (_none, index) => outcome(index));
    const start = process.hrtime.bigint();
    for (const one of outcomes) observe(one);
    nanoseconds.push(Number(process.hrtime.bigint() - start) / REQUESTS);
    await rest();
  }
  // The first rounds run code that is not compiled yet.
  return nanoseconds.slice(ROUNDS / 3);
}

const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
const config = parseConfig('servers: {}', { path: join(folder, 'gateway.config.yaml'), env: {} });
const accounts = openAccounts({ config, clock: systemClock, epochNow: Date.now, logger });
const without = await measure(observer(undefined), () => Promise.resolve());
const withLedger = await measure(
  observer(accounts.ledger),
  () => accounts.ledger?.flush() ?? Promise.resolve(),
);
await accounts.close();
await rm(folder, { recursive: true, force: true });

const figures = (values: readonly number[]) => ({
  p50: percentile(values, 0.5),
  p90: percentile(values, 0.9),
});
console.log(
  JSON.stringify({ nanosecondsARequest: { without: figures(without), with: figures(withLedger) } }),
);
