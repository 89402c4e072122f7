import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { startProcess, type RunningProcess } from '../conformance/processes.ts';
import type { Fields, Target } from './ask.ts';

export const root: string = resolve(import.meta.dirname, '../..');
const READY_MS = 30_000;
const commandLine = join(root, 'dist/src/cli/main.js');

export interface Served extends AsyncDisposable {
  readonly target: Target;
  readonly output: () => string;
  /** Ends the process; a sentence when it did not end as it should. */
  end(): Promise<string | undefined>;
}

export interface ServerHabits {
  /** Some servers let the signal that asked them to end also end them, after they have tidied up. */
  readonly mayEndBySignal?: boolean;
}

/** Starts a server that announces its endpoint on standard error. */
export async function startServer(
  name: string,
  command: string,
  args: readonly string[],
  { mayEndBySignal = false }: ServerHabits = {},
): Promise<Served> {
  const running = await startProcess({
    name,
    command,
    args,
    cwd: root,
    ready: /ready (http:\S+)/,
    readyMs: READY_MS,
  });
  return served(running, mayEndBySignal, () => Promise.resolve());
}

function served(running: RunningProcess, mayEndBySignal: boolean, after: () => Promise<void>): Served {
  async function end(): Promise<string | undefined> {
    const clean = await running.stop();
    await after();
    if (clean || mayEndBySignal) return undefined;
    return `A process did not end cleanly; it wrote:\n${running.output()}`;
  }
  return {
    target: { kind: 'http', url: running.announced },
    output: running.output,
    end,
    async [Symbol.asyncDispose]() {
      const complaint = await end();
      // Not thrown here: that would hide what the test itself found.
      onTestFinished(() => {
        if (complaint !== undefined) throw new Error(complaint);
      });
    },
  };
}

export interface GatewayFile extends AsyncDisposable {
  readonly file: string;
  /** How a host starts the gateway over standard streams. */
  readonly stdio: Target;
}

/** Writes a configuration into a folder of its own, where the gateway also keeps its state. */
export async function writeConfig(servers: Fields, more: Fields = {}): Promise<GatewayFile> {
  if (!existsSync(commandLine)) throw new Error(`${commandLine} is missing: run npm run build first`);
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-interop-'));
  const file = join(folder, 'gateway.config.yaml');
  // JSON is YAML. Every tool is listed, so that each of them can be compared.
  await writeFile(file, JSON.stringify({ exposure: { mode: 'direct' }, ...more, servers }));
  return {
    file,
    stdio: {
      kind: 'stdio',
      command: process.execPath,
      args: [commandLine, 'stdio', '-c', file],
      cwd: folder,
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function startGateway(servers: Fields, more: Fields = {}): Promise<Served> {
  const config = await writeConfig(servers, more);
  try {
    const running = await startProcess({
      name: 'the gateway',
      command: process.execPath,
      args: [commandLine, 'serve', '-c', config.file, '--port', '0'],
      cwd: root,
      ready: /tollgate ready (\S+)/,
      readyMs: READY_MS,
    });
    return served(running, false, async () => config[Symbol.asyncDispose]());
  } catch (error) {
    await config[Symbol.asyncDispose]();
    throw error;
  }
}

/** The `servers` entry for what a peer would connect to directly. */
export function entryFor(target: Target): Fields {
  if (target.kind === 'stdio') {
    const { command, args, cwd, env } = target;
    return { command, args, cwd, ...(env && { env }) };
  }
  return { url: target.url, ...(target.kind === 'sse' && { transport: 'sse' }) };
}
