/**
 * The client face: the suite plays the server, and the gateway in front of it has to be a sound client. Every
 * scenario is run twice, by a plain client alone and by the same client through the gateway. One at a time: all
 * at once they starve each other on a small machine.
 *
 *   tsx test/conformance/run-client.ts [--revision R] [--scenario S] [--without-gateway]
 *
 * Without the gateway there is nothing to compare; the run then shows that the harness itself is sound.
 */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { verifies } from '../requirements/conformance.ts';
import { readChecks, type Check } from './checks.ts';
import { compareRuns, failuresOf, worstChecks, type Finding } from './compare.ts';
import { judge, readExpectedFailures } from './expected-failures.ts';
import { createReport, describeFinding, type Report } from './report.ts';
import type { Revision } from './revisions.ts';
import { listClientScenarios, runClientScenario, type SuiteOutcome } from './suite.ts';

const HERE = 'test/conformance';
const RESULTS = 'test-results/conformance/client';
const DRIVER = 'test-results/conformance/driver/driver/main.js';
const SCENARIO_MS = 60_000;
const OUTPUT_CHARS = 2_000;

const REVISIONS: readonly Revision[] = ['2026-07-28', '2025-11-25', '2025-03-26'];

/** The suite has authorization scenarios alone for this revision; this one can be asked for there too. */
const FORCED: ReadonlyMap<Revision, readonly string[]> = new Map([['2025-03-26', ['tools_call']]]);

/** This one looks at a client that filters by itself; the plain client must not, so it fails alone by design. */
const ONLY_THROUGH_GATEWAY: ReadonlySet<string> = new Set(['http-invalid-tool-headers']);

interface Options {
  readonly revisions: readonly Revision[];
  readonly scenario: string | undefined;
  readonly withGateway: boolean;
}

interface ScenarioRun {
  readonly outcome: SuiteOutcome;
  readonly checks: readonly Check[];
}

async function runRevision(revision: Revision, options: Options, report: Report): Promise<void> {
  const scenarios = await scenariosOf(revision, options.scenario);
  const findings: Finding[] = [];
  for (const scenario of scenarios) {
    const started = performance.now();
    findings.push(...(await runScenario(revision, scenario, options.withGateway, report)));
    report.say(`${revision} ${scenario} (${Math.round(performance.now() - started)} ms)`);
  }
  const all = await readExpectedFailures(HERE, revision, 'client');
  // A run of one scenario says nothing about the entries of the others.
  const entries = all.filter((entry) => scenarios.includes(entry.split(':')[0] ?? ''));
  const { unexpected, expected, stale } = judge(findings, options.scenario === undefined ? all : entries);
  for (const finding of unexpected) report.fail(`${revision} ${describeFinding(finding)}`);
  for (const finding of expected) report.say(`expected: ${revision} ${describeFinding(finding)}`);
  for (const entry of stale) report.fail(`${revision}: ${entry} is an expected failure, but it passes`);
}

/** Authorization has a harness of its own: it needs someone who grants it. */
async function scenariosOf(revision: Revision, only: string | undefined): Promise<readonly string[]> {
  const listed = (await listClientScenarios(revision)).filter((name) => !name.startsWith('auth/'));
  const all = [...listed, ...(FORCED.get(revision) ?? [])];
  return only === undefined ? all : all.filter((name) => name === only);
}

async function runScenario(
  revision: Revision,
  scenario: string,
  withGateway: boolean,
  report: Report,
): Promise<Finding[]> {
  const alone = await driveScenario(revision, scenario, 'alone', `node ${DRIVER} --without-gateway`);
  if (!ONLY_THROUGH_GATEWAY.has(scenario)) expectSound(report, `${revision} ${scenario} alone`, alone);
  if (!withGateway) return [];
  const through = await driveScenario(revision, scenario, 'through', `node ${DRIVER}`);
  const worst = [...worstChecks(through.checks).values()];
  report.pass(worst.filter(({ status }) => status === 'SUCCESS').length);
  const findings = union(failuresOf(through.checks), compareRuns(alone.checks, through.checks));
  // Failing checks say more than the exit code that follows from them.
  if (findings.length === 0) expectSound(report, `${revision} ${scenario} through the gateway`, through);
  else report.say(tail(through.outcome.output));
  return findings;
}

async function driveScenario(
  revision: Revision,
  scenario: string,
  run: string,
  command: string,
): Promise<ScenarioRun> {
  const folder = join(RESULTS, revision, run, scenario);
  const force = FORCED.get(revision)?.includes(scenario) === true;
  const outcome = await runClientScenario({
    command,
    scenario,
    revision,
    timeoutMs: SCENARIO_MS,
    folder,
    force,
  });
  return { outcome, checks: await readChecks(folder, '').catch(() => []) };
}

/** The suite ends with an error on a failing check, on a driver that fails, and on one that takes too long. */
function expectSound(report: Report, what: string, { outcome, checks }: ScenarioRun): void {
  const shown = checks.some(({ status }) => status === 'SUCCESS');
  report.expect(
    outcome.exitCode === 0 && shown,
    `${what}: ended with code ${outcome.exitCode ?? 'none'}${shown ? '' : ' and no check'}:\n${tail(outcome.output)}`,
  );
}

function union(first: readonly Finding[], second: readonly Finding[]): Finding[] {
  const known = new Set(second.map(({ scenario, id }) => `${scenario}:${id}`));
  return [...second, ...first.filter(({ scenario, id }) => !known.has(`${scenario}:${id}`))];
}

function tail(output: string): string {
  return output.slice(-OUTPUT_CHARS);
}

/** Compiled, as the suite starts it for every scenario. */
async function compileDriver(): Promise<void> {
  const compiler = spawn('node_modules/.bin/tsc', ['-p', 'test/conformance/driver/tsconfig.json'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    compiler.once('error', reject);
    compiler.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error('the driver does not compile');
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      revision: { type: 'string' },
      scenario: { type: 'string' },
      'without-gateway': { type: 'boolean', default: false },
    },
  });
  const revisions = REVISIONS.filter((one) => values.revision === undefined || one === values.revision);
  if (revisions.length === 0) throw new Error(`--revision must be one of ${REVISIONS.join(', ')}`);
  return { revisions, scenario: values.scenario, withGateway: !values['without-gateway'] };
}

async function main(): Promise<number> {
  const options = readOptions();
  const report = createReport((line) => process.stdout.write(`${line}\n`));
  await rm(RESULTS, { recursive: true, force: true });
  await compileDriver();
  report.say(verifies('conformance:client:sound-towards-servers'));
  for (const revision of options.revisions) {
    await runRevision(revision, options, report).catch((error: unknown) => {
      report.fail(`${revision}: ${String(error)}`);
    });
  }
  return report.close();
}

process.exitCode = await main();
