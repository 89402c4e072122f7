import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/config/index.ts';
import { systemClock } from '../../src/domain/index.ts';
import { createGateway, type Gateway } from '../../src/gateway.ts';
import { createLogger } from '../../src/telemetry/index.ts';

/** A gateway in this process, with a state folder of its own. */
export interface StartedGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  /** The endpoint of the default profile. */
  readonly url: string;
  /** Its address, for what is beside the endpoint. */
  readonly origin: string;
}

const silent = createLogger({ level: 'silent', format: 'json' });

type Fields = Readonly<Record<string, unknown>>;

/** Composes a gateway without starting anything. */
export async function composeGateway(
  servers: Fields,
  more: Fields = {},
): Promise<{ readonly gateway: Gateway; readonly dispose: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-contract-'));
  const text = JSON.stringify({ exposure: { mode: 'direct' }, listen: { port: 0 }, ...more, servers });
  const config = parseConfig(text, { path: join(folder, 'gateway.config.json'), env: process.env });
  const gateway = createGateway({
    config,
    env: process.env,
    logger: silent,
    clock: systemClock,
    version: '0.0.0-test',
    redact: (line) => line,
  });
  const dispose = async (): Promise<void> => {
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { gateway, dispose };
}

/** Starts a gateway over HTTP on a free port. */
export async function startGateway(servers: Fields, more: Fields = {}): Promise<StartedGateway> {
  const { gateway, dispose } = await composeGateway(servers, more);
  const url = await gateway.listen();
  return { gateway, url, origin: new URL(url).origin, [Symbol.asyncDispose]: dispose };
}

/** The `servers` entry of the handwritten handshake server. */
export const rawServer = (...args: readonly string[]): Fields => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '../fixtures/raw-server.mjs'), ...args],
});
