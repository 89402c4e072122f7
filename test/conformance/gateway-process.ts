import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProcess, type RunningProcess } from './processes.ts';

const READY_MS = 20_000;
const COMMAND_LINE = 'dist/src/cli/main.js';

export interface GatewaySpec {
  /** Used exactly as given. */
  readonly upstreamUrl: string;
  /** Empty when names stay as they are. */
  readonly namespace: string;
}

/** Starts the built gateway on a free port, with one server behind it and a state folder of its own. */
export async function startGateway({ upstreamUrl, namespace }: GatewaySpec): Promise<RunningProcess> {
  const commandLine = resolve(COMMAND_LINE);
  if (!existsSync(commandLine)) throw new Error(`${COMMAND_LINE} is missing: run npm run build first`);
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-conformance-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const file = join(folder, 'gateway.config.yaml');
  // JSON is YAML. Every tool is listed, as the suite looks for each of them in the list.
  const config = {
    servers: { everything: { url: upstreamUrl, namespace } },
    exposure: { mode: 'direct' },
  };
  await writeFile(file, JSON.stringify(config));
  try {
    const gateway = await startProcess({
      name: 'the gateway',
      command: process.execPath,
      args: [commandLine, 'serve', '-c', file, '--port', '0'],
      cwd: folder,
      ready: /tollgate ready (\S+)/,
      readyMs: READY_MS,
    });
    return {
      ...gateway,
      async stop() {
        const clean = await gateway.stop();
        await removeFolder();
        return clean;
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/** The suite names its peers by `localhost`; the gateway announces the address it listens on. */
export function asLocalhost(url: string): string {
  const named = new URL(url);
  named.hostname = 'localhost';
  return named.href;
}
