/**
 * The program that the suite starts for each client scenario, with the URL of its own server as last argument:
 * starts the gateway in front of that URL, acts as a plain client of the gateway, and ends the gateway again.
 *
 *   node main.js [--without-gateway] URL
 */
import { asLocalhost, startGateway } from '../gateway-process.ts';
import type { RunningProcess } from '../processes.ts';
import type { Revision } from '../revisions.ts';
import { SCENARIOS, type Run } from './scenarios.ts';

const REVISIONS: readonly Revision[] = ['2025-03-26', '2025-11-25', '2026-07-28'];

function readRun(url: string): { readonly name: string; readonly run: Run } {
  const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
  const wanted = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'];
  const revision = REVISIONS.find((one) => one === wanted);
  if (revision === undefined) throw new Error(`unknown protocol version ${wanted ?? 'unset'}`);
  const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Run['context'];
  return { name, run: { url, revision, context } };
}

async function act(name: string, run: Run): Promise<void> {
  const scenario = SCENARIOS.get(name);
  if (scenario === undefined) throw new Error(`no client behaviour is written for the scenario ${name}`);
  await scenario(run);
}

async function actThroughGateway(name: string, run: Run): Promise<void> {
  const gateway = await startGateway({ upstreamUrl: run.url, namespace: '' });
  let acted = false;
  try {
    await act(name, { ...run, url: asLocalhost(gateway.announced) });
    acted = true;
  } finally {
    // The suite waits until its sockets are closed, so the gateway goes before this program does.
    await endGateway(gateway, acted);
  }
}

async function endGateway(gateway: RunningProcess, acted: boolean): Promise<void> {
  const clean = await gateway.stop();
  if (!clean || !acted) process.stderr.write(`the gateway wrote:\n${gateway.output()}\n`);
  if (!clean && acted) throw new Error('the gateway did not end cleanly');
}

const [first, second] = process.argv.slice(2);
const withoutGateway = first === '--without-gateway';
const { name, run } = readRun((withoutGateway ? second : first) ?? '');
try {
  await (withoutGateway ? act(name, run) : actThroughGateway(name, run));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
