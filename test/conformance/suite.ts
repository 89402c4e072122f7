import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Revision } from './revisions.ts';

const SHIM = './test/conformance/node20-shim.mjs';
const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

export interface SuiteOutcome {
  readonly exitCode: number | null;
  /** Both streams, in the order in which they were read. */
  readonly output: string;
}

/** Runs the pinned suite with the arguments of its own command line. */
function runSuite(args: readonly string[]): Promise<SuiteOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', SHIM, SUITE, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => (output += text));
    }
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** Runs server scenarios against a URL: all of a revision, or one by name. The results say what passed. */
export function runServerScenarios(
  url: string,
  revision: Revision,
  outputFolder: string,
  scenario?: string,
): Promise<SuiteOutcome> {
  const which = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario];
  return runSuite(['server', '--url', url, ...which, '--spec-version', revision, '-o', outputFolder]);
}

export interface ClientScenario {
  /** Split at spaces by the suite, which adds the URL of its own server as last argument. */
  readonly command: string;
  readonly scenario: string;
  readonly revision: Revision;
  readonly timeoutMs: number;
  readonly folder: string;
  /** Runs a scenario at a revision that the suite does not list it for. */
  readonly force: boolean;
}

/** Runs one client scenario. */
export function runClientScenario(run: ClientScenario): Promise<SuiteOutcome> {
  const what = ['--command', run.command, '--scenario', run.scenario, '--spec-version', run.revision];
  const how = ['--timeout', String(run.timeoutMs), '-o', run.folder, ...(run.force ? ['--force'] : [])];
  return runSuite(['client', ...what, ...how]);
}

/** Names the client scenarios that the suite has for a revision. */
export async function listClientScenarios(revision: Revision): Promise<string[]> {
  const { exitCode, output } = await runSuite(['list', '--client', '--spec-version', revision]);
  const names = [...output.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] as string);
  if (exitCode !== 0 || names.length === 0)
    throw new Error(`the suite lists no client scenarios:\n${output}`);
  return names;
}
