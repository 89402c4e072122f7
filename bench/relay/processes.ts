import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LoadOrder, type LoadOutcome } from './load.ts';
import { namespace } from './messages.ts';
import { type Ready } from './program.ts';

const startTimeoutMs = 30_000;
/** Far beyond any sample: what exceeds it hangs. */
const sampleTimeoutMs = 120_000;

/** A started program that answers on a port. */
export interface Program {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface LoadGenerator {
  sample(order: LoadOrder): Promise<LoadOutcome>;
  stop(): Promise<void>;
}

const repository = fileURLToPath(new URL('../../', import.meta.url));

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(late);
}

function spawnOwn(file: string, env: Readonly<Record<string, string>>): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return spawn(process.execPath, ['--import', 'tsx', path], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The next message of a program, or an error that names it. */
function nextMessage(child: ChildProcess, name: string, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${name} said nothing for ${timeoutMs} ms`)), timeoutMs);
    const onExit = (code: number | null): void => reject(new Error(`${name} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      clearTimeout(late);
      child.off('exit', onExit);
      resolve(message);
    });
  });
}

/** Starts one of the benchmark's own programs. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const child = spawnOwn(file, env);
  const { port } = (await nextMessage(child, file, startTimeoutMs)) as Ready;
  return { port, pid: child.pid ?? 0, stop: () => stopProcess(child) };
}

export function startLoadGenerator(): LoadGenerator {
  const child = spawnOwn('./load.ts', {});
  return {
    sample: (order) => {
      child.send(order);
      return nextMessage(child, 'the load generator', sampleTimeoutMs) as Promise<LoadOutcome>;
    },
    stop: () => stopProcess(child),
  };
}

/**
 * Starts the built gateway with its defaults in front of the upstream. Its log goes to a file, as a service's log
 * does: reading it from a pipe would cost the benchmark time that belongs to the programs.
 */
export async function startTollgate(upstreamPort: number): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  const config = join(folder, 'gateway.config.yaml');
  const logPath = join(folder, 'stderr.log');
  await writeFile(config, `servers:\n  ${namespace}:\n    url: http://127.0.0.1:${upstreamPort}/mcp\n`);
  const log = await open(logPath, 'w');
  const child = spawn(
    process.execPath,
    [join(repository, 'dist/src/cli/main.js'), 'serve', '-c', config, '--port', '0'],
    { cwd: folder, stdio: ['ignore', log.fd, log.fd] },
  );
  const stop = async (): Promise<void> => {
    await stopProcess(child);
    await log.close();
    await rm(folder, { recursive: true, force: true });
  };
  for (let waitedMs = 0; waitedMs < startTimeoutMs && child.exitCode === null; waitedMs += 50) {
    const port = /^tollgate ready http:\/\/[^:]+:(\d+)\/mcp$/m.exec(await readFile(logPath, 'utf8'))?.[1];
    if (port !== undefined) return { port: Number(port), pid: child.pid ?? 0, stop };
    await delay(50);
  }
  const written = await readFile(logPath, 'utf8');
  await stop();
  throw new Error(`the gateway did not start; it wrote:\n${written}`);
}
