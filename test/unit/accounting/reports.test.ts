import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createLedger,
  createReports,
  createTokenCounter,
  type LedgerRow,
  REPORT_GROUPS,
  type Report,
  type ReportGroup,
  reportJson,
  type ReportRow,
  reportTable,
} from '../../../src/accounting/index.ts';
import { systemClock } from '../../../src/domain/index.ts';
import { type Database, openDatabase } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/accounting.ts';
import { temporaryFolder } from '../state/temporary-folder.ts';
import { recordingLogger } from './recording-logger.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 30, 12);

async function openState(): Promise<Database> {
  const folder = await temporaryFolder();
  const database = openDatabase({ folder, clock: systemClock, onSetAside: () => undefined });
  onTestFinished(() => database.close());
  return database;
}

async function record(
  database: Database,
  rows: readonly LedgerRow[],
  tokenizer = 'o200k_base',
): Promise<void> {
  const ledger = createLedger({
    database,
    counter: { tokenizer: tokenizer as 'o200k_base', count: async (texts) => texts.map(() => 1) },
    clock: systemClock,
    epochNow: () => NOW,
    logger: recordingLogger(),
    limits: { maxDays: 10_000, maxBytes: 1e9 },
  });
  for (const row of rows) ledger.record(row);
  await ledger.close();
}

const tokens = fc.nat({ max: 100_000 });
const anyRow: fc.Arbitrary<LedgerRow> = fc.record({
  timeMs: fc.integer({ min: NOW - 3 * DAY_MS, max: NOW }),
  principal: fc.constantFrom('anonymous', 'key:ci'),
  profile: fc.constant('default'),
  client: fc.constantFrom(undefined, 'agent/1.0', 'editor/2'),
  era: fc.constantFrom('legacy' as const, 'modern' as const),
  method: fc.constantFrom('tools/list', 'tools/call'),
  tool: fc.constantFrom(undefined, 'a__x', 'a__y', 'b__z'),
  server: fc.constantFrom(undefined, 'a', 'b'),
  definitionTokens: tokens,
  metaToolTokens: fc.nat({ max: 300 }),
  visibleTokens: tokens,
  requestBytes: tokens,
  responseBytes: tokens,
  durationMs: fc.double({ min: 0, max: 5_000, noNaN: true }),
  isCached: fc.boolean(),
  outcome: fc.constantFrom('ok', 'error', 'cancelled', 'UPSTREAM_TIMEOUT'),
});

const keyOf: Readonly<Record<ReportGroup, (row: LedgerRow) => string | null>> = {
  total: () => 'total',
  server: (row) => row.server ?? null,
  tool: (row) => row.tool ?? null,
  client: (row) => row.client ?? null,
  principal: (row) => row.principal,
  day: (row) => new Date(row.timeMs).toISOString().slice(0, 10),
};

/** The same figures by other means: from the rows in memory, without a statement of SQL. */
function recomputed(group: string | null, rows: readonly LedgerRow[]): ReportRow {
  const sum = (value: (row: LedgerRow) => number): number =>
    rows.reduce((total, row) => total + value(row), 0);
  const sent = sum((row) => row.definitionTokens ?? 0);
  const metaTools = sum((row) => row.metaToolTokens ?? 0);
  const avoided = sum((row) => row.visibleTokens ?? 0) - (sent - metaTools);
  const durations = rows.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  const percentile = (share: number): number => durations[Math.ceil(durations.length * share) - 1] ?? 0;
  return {
    group,
    requests: rows.length,
    errors: rows.filter(({ outcome }) => outcome === 'error' || outcome === 'UPSTREAM_TIMEOUT').length,
    definitionTokens: sent,
    tokensAvoided: avoided,
    metaToolTokens: metaTools,
    searchAnswerTokens: 0,
    netSavings: avoided - metaTools,
    searchAnswersUncounted: 0,
    resultTokens: 0,
    resultsCounted: 0,
    requestBytes: sum((row) => row.requestBytes),
    responseBytes: sum((row) => row.responseBytes),
    cacheHits: rows.filter(({ isCached }) => isCached).length,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
  };
}

function expected(rows: readonly LedgerRow[], by: ReportGroup): ReportRow[] {
  const groups = [...new Set(rows.map(keyOf[by]))];
  return groups.map((group) =>
    recomputed(
      group,
      rows.filter((row) => keyOf[by](row) === group),
    ),
  );
}

const byGroup = (rows: readonly ReportRow[]): ReportRow[] =>
  rows.toSorted((a, b) => String(a.group).localeCompare(String(b.group)));

describe('a report', () => {
  it(verifies('accounting:report:recomputable'), async () => {
    const database = await openState();
    const reports = createReports(database);
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 60 }), fc.nat(3), async (rows, days) => {
        await database.write([{ sql: 'DELETE FROM requests' }]);
        await record(database, rows);
        const since = NOW - days * DAY_MS;
        const recent = rows.filter(({ timeMs }) => timeMs >= since);
        for (const by of REPORT_GROUPS) {
          expect(byGroup((await reports.report({ by })).rows)).toEqual(byGroup(expected(rows, by)));
          expect(byGroup((await reports.report({ by, since })).rows)).toEqual(byGroup(expected(recent, by)));
        }
      }),
      { numRuns: 15 },
    );
  });

  it('puts the busiest first, and days in their order', async () => {
    const database = await openState();
    const base = { ...sampleRow(), durationMs: 1 };
    await record(database, [
      { ...base, server: 'rare', timeMs: NOW },
      { ...base, server: 'busy', timeMs: NOW - DAY_MS },
      { ...base, server: 'busy', timeMs: NOW - DAY_MS },
    ]);
    const groupsBy = async (by: ReportGroup): Promise<(string | null)[]> =>
      (await createReports(database).report({ by })).rows.map(({ group }) => group);
    expect(await groupsBy('server')).toEqual(['busy', 'rare']);
    expect(await groupsBy('day')).toEqual(['2026-11-29', '2026-11-30']);
  });

  it('shows the largest thousand groups, and says how many it left out', async () => {
    const database = await openState();
    const names = Array.from({ length: 1_100 }, (_, index) => `name_${index}`);
    await record(database, [sampleRow('common'), ...names.map(sampleRow), sampleRow('common')]);
    const report = await createReports(database).report({ by: 'tool' });
    expect(report.rows).toHaveLength(1_000);
    expect(report.rows[0]?.group).toBe('common');
    expect(report.groupsLeftOut).toBe(101);
    expect(reportTable(report)).toContain('101 smaller groups are not shown.');
  });

  it('is empty where nothing was recorded', async () => {
    const report = await createReports(await openState()).report({ by: 'server', since: NOW });
    expect(report).toEqual({
      tokenizers: [],
      by: 'server',
      since: '2026-11-30T12:00:00.000Z',
      first: null,
      last: null,
      unrecorded: 0,
      rows: [],
      groupsLeftOut: 0,
    });
    expect(reportTable(report)).toBe('No requests recorded since 2026-11-30T12:00:00.000Z.\n');
  });

  it(verifies('accounting:report:names-tokenizer'), async () => {
    const database = await openState();
    await record(database, [sampleRow('a')], 'o200k_base');
    const one = await createReports(database).report({ by: 'total' });
    expect(reportTable(one)).toContain('Tokens are counted with o200k_base.');
    expect(JSON.parse(reportJson(one))).toMatchObject({ tokenizers: ['o200k_base'] });
    await record(database, [sampleRow('a')], 'cl100k_base');
    const two = await createReports(database).report({ by: 'total' });
    expect(reportTable(two)).toContain('Tokens are counted with cl100k_base, o200k_base.');
    expect(reportTable(two)).toContain('Counts of different tokenizers are added up here.');
  });
});

function sampleRow(tool?: string): LedgerRow {
  return {
    timeMs: NOW,
    principal: 'anonymous',
    profile: 'default',
    era: 'modern',
    method: 'tools/call',
    tool,
    requestBytes: 10,
    responseBytes: 20,
    durationMs: 1,
    outcome: 'ok',
  };
}

describe('savings', () => {
  const tool = (name: string): string =>
    JSON.stringify({
      name,
      description: `Does what ${name} does, 并且返回结果.`,
      inputSchema: { type: 'object', properties: { path: { type: 'string', description: 'Where to look' } } },
    });
  const direct = ['site__search', 'site__read', 'files__list'].map(tool);
  const metaTools = ['search_tools', 'call_tool'].map(tool);
  const plain = { disallowedSpecial: new Set<string>() };

  /** What a host was sent, counted from the bytes by other means than the gateway's. */
  function costOfAnswer(bytes: string): number {
    const { result } = JSON.parse(bytes) as { result: { tools: { name: string }[] } };
    return result.tools.reduce((sum, definition) => sum + countTokens(JSON.stringify(definition), plain), 0);
  }

  async function reportOn(
    lists: readonly { sent: string[]; meta: string[] }[],
    answer?: string,
  ): Promise<{
    report: Report;
    bytes: string[];
  }> {
    const database = await openState();
    const counter = createTokenCounter({
      tokenizer: 'o200k_base',
      logger: recordingLogger(),
      clock: systemClock,
    });
    const limits = { maxDays: 90, maxBytes: 1e9 };
    const deps = {
      database,
      counter,
      clock: systemClock,
      epochNow: () => NOW,
      logger: recordingLogger(),
      limits,
    };
    const ledger = createLedger(deps);
    const sumOf = async (definitions: readonly string[]): Promise<number> =>
      (await counter.costsOf(definitions, 'definition')).reduce((sum, cost) => sum + cost, 0);
    const bytes: string[] = [];
    for (const { sent, meta } of lists) {
      bytes.push(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${[...meta, ...sent].join(',')}]}}`);
      ledger.record({
        ...sampleRow(),
        method: 'tools/list',
        definitionTokens: await sumOf([...meta, ...sent]),
        metaToolTokens: await sumOf(meta),
        visibleTokens: await sumOf(direct),
      });
    }
    if (answer !== undefined) ledger.record(sampleRow('search_tools'), { searchAnswer: answer });
    await ledger.close();
    await counter.close();
    return { report: await createReports(database).report({ by: 'total' }), bytes };
  }

  it(verifies('accounting:report:no-invented-savings'), async () => {
    const nothingSaved = await reportOn([{ sent: direct, meta: [] }]);
    expect(nothingSaved.report.rows[0]).toMatchObject({
      definitionTokens: costOfAnswer(nothingSaved.bytes[0] ?? ''),
      tokensAvoided: 0,
      metaToolTokens: 0,
      searchAnswerTokens: 0,
      netSavings: 0,
    });

    const answer = direct.join('\n');
    const lost = await reportOn([{ sent: [], meta: metaTools }], answer);
    const visible = costOfAnswer(nothingSaved.bytes[0] ?? '');
    const meta = costOfAnswer(lost.bytes[0] ?? '');
    const searched = countTokens(answer, plain);
    expect(lost.report.rows[0]).toMatchObject({
      definitionTokens: meta,
      tokensAvoided: visible,
      metaToolTokens: meta,
      searchAnswerTokens: searched,
      netSavings: visible - meta - searched,
    });
    expect(visible - meta - searched).toBeLessThan(0);
    expect(reportTable(lost.report)).toContain(String(visible - meta - searched));
  });

  it('are what a list that shows some tools leaves out, less what searching costs', async () => {
    const { report, bytes } = await reportOn([{ sent: direct.slice(0, 1), meta: metaTools }]);
    const all = direct.reduce((sum, text) => sum + countTokens(text, plain), 0);
    const sent = costOfAnswer(bytes[0] ?? '');
    expect(report.rows[0]).toMatchObject({ definitionTokens: sent, netSavings: all - sent });
  });
});
