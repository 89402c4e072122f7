/**
 * The server face: runs the official suite against the fixture and against the gateway in front of it, and
 * reports every check that came out worse through the gateway.
 *
 *   tsx test/conformance/run-server.ts [--between gateway|relay|broken-relay] [--revision R]
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ServedEra } from '../fixtures/everything/era.ts';
import { verifies } from '../requirements/conformance.ts';
import { BETWEEN_KINDS, startBetween, type BetweenKind } from './between.ts';
import { readChecks, totalsOf, type Check, type Totals } from './checks.ts';
import { compareRuns, worstChecks } from './compare.ts';
import { judge, readExpectedFailures } from './expected-failures.ts';
import { startFixture } from './fixture-process.ts';
import { createModernClient } from './modern-client.ts';
import { checkPrefixMode } from './prefix-mode.ts';
import { createReport, describeFinding, type Report } from './report.ts';
import { isModern, type Revision } from './revisions.ts';
import { connectSdkClient } from './sdk-client.ts';
import { runServerScenarios } from './suite.ts';

const HERE = 'test/conformance';
const RESULTS = 'test-results/conformance/server';

/** One era on both sides of the gateway. */
interface Pair {
  readonly revision: Revision;
  readonly served: ServedEra;
  /** What the pinned suite counts against a server that has everything. */
  readonly scenarios: number;
  readonly ok: number;
}

const PAIRS: readonly Pair[] = [
  // The server answers both eras, as many do for years to come; the gateway has to find the modern one.
  { revision: '2026-07-28', served: 'both', scenarios: 40, ok: 152 },
  { revision: '2025-11-25', served: 'legacy', scenarios: 33, ok: 84 },
];

async function runPair(pair: Pair, kind: BetweenKind, report: Report): Promise<void> {
  const fixture = await startFixture(pair.served);
  try {
    const direct = await collect(fixture.announced, pair.revision, 'direct');
    expectTotals(report, `${pair.revision} direct`, totalsOf(direct), pair);
    const between = await startBetween(kind, fixture.announced);
    try {
      await warm(between.url, pair.revision);
      const through = await collect(between.url, pair.revision, kind);
      await reportPair(pair, kind, report, direct, through);
    } finally {
      const stopped = await between.stop();
      report.expect(
        stopped,
        `${pair.revision}: the ${kind} did not end cleanly; it wrote:\n${between.output()}`,
      );
    }
  } finally {
    await fixture.stop();
  }
}

async function collect(url: string, revision: Revision, run: string): Promise<Check[]> {
  const folder = join(RESULTS, revision, run);
  const { output } = await runServerScenarios(url, revision, folder);
  const checks = await readChecks(folder, 'server-').catch(() => []);
  if (checks.length === 0) throw new Error(`the suite left no results in ${folder}; it wrote:\n${output}`);
  return checks;
}

/** Some checks wait for half a second only, so what the gateway does once is done before them. */
async function warm(url: string, revision: Revision): Promise<void> {
  if (isModern(revision)) {
    await createModernClient(url).result('tools/list');
    return;
  }
  const client = await connectSdkClient(url, revision);
  await client.listTools();
  await client.close();
}

async function reportPair(
  pair: Pair,
  kind: BetweenKind,
  report: Report,
  direct: readonly Check[],
  through: readonly Check[],
): Promise<void> {
  const entries = await readExpectedFailures(HERE, pair.revision, 'server');
  const { unexpected, expected, stale } = judge(compareRuns(direct, through), entries);
  for (const finding of unexpected) report.fail(`${pair.revision} ${describeFinding(finding)}`);
  for (const finding of expected) report.say(`expected: ${pair.revision} ${describeFinding(finding)}`);
  for (const entry of stale) report.fail(`${pair.revision}: ${entry} is an expected failure, but it passes`);
  const fine = [...worstChecks(through).values()].filter(({ status }) => status === 'SUCCESS');
  report.pass(fine.length);
  const totals = totalsOf(through);
  if (entries.length === 0) expectTotals(report, `${pair.revision} through the ${kind}`, totals, pair);
  else report.say(`${pair.revision} through the ${kind}: ${describeTotals(totals)}`);
}

function expectTotals(report: Report, run: string, totals: Totals, { scenarios, ok }: Pair): void {
  report.say(`${run}: ${describeTotals(totals)}`);
  const whole =
    totals.scenarios === scenarios && totals.ok === ok && totals.failing === 0 && totals.skipped === 0;
  report.expect(
    whole,
    `${run}: expected ${scenarios} scenarios and ${ok} checks ok, none failing or skipped`,
  );
}

function describeTotals({ scenarios, ok, failing, skipped }: Totals): string {
  return `${scenarios} scenarios, ${ok} ok, ${failing} failing, ${skipped} skipped`;
}

function readOptions(): { readonly kind: BetweenKind; readonly pairs: readonly Pair[] } {
  const { values } = parseArgs({
    options: { between: { type: 'string', default: 'gateway' }, revision: { type: 'string' } },
  });
  const kind = BETWEEN_KINDS.find((one) => one === values.between);
  if (kind === undefined) throw new Error(`--between must be one of ${BETWEEN_KINDS.join(', ')}`);
  const pairs = PAIRS.filter(({ revision }) => values.revision === undefined || revision === values.revision);
  if (pairs.length === 0)
    throw new Error(`--revision must be one of ${PAIRS.map((pair) => pair.revision).join(', ')}`);
  return { kind, pairs };
}

async function main(): Promise<number> {
  const { kind, pairs } = readOptions();
  const report = createReport((line) => process.stdout.write(`${line}\n`));
  await rm(RESULTS, { recursive: true, force: true });
  report.say(verifies('conformance:server:nothing-worse'));
  for (const pair of pairs) {
    await runPair(pair, kind, report).catch((error: unknown) =>
      report.fail(`${pair.revision}: ${String(error)}`),
    );
  }
  if (kind === 'gateway') {
    report.say(verifies('conformance:server:names-on-both-hops'));
    const folder = join(RESULTS, 'prefix-mode');
    await checkPrefixMode(report, folder).catch((error: unknown) =>
      report.fail(`prefix mode: ${String(error)}`),
    );
  }
  return report.close();
}

process.exitCode = await main();
