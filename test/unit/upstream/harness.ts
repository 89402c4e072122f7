import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ServerConfig, TransportConfig } from '../../../src/config/index.ts';
import { type GatewayError, serverId, systemClock } from '../../../src/domain/index.ts';
import {
  type CallHandle,
  createUpstream,
  createUpstreamRuntime,
  type Upstream,
  type UpstreamCall,
  type UpstreamConnection,
  type UpstreamDeps,
} from '../../../src/upstream/index.ts';
import { scanFrame } from '../../../src/wire/index.ts';

export const fault = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/faults/${name}.mjs`, import.meta.url));

export const stdio = (name: string, ...args: string[]): TransportConfig => ({
  kind: 'stdio',
  command: process.execPath,
  args: [fault(name), ...args],
  env: {},
  cwd: process.cwd(),
  inheritEnv: [],
});

export const http = (url: string, headers: Record<string, string> = {}): TransportConfig => ({
  kind: 'auto',
  url,
  headers,
});

export type Overrides = Partial<Omit<ServerConfig, 'timeouts' | 'restart'>> & {
  readonly timeouts?: Partial<ServerConfig['timeouts']>;
  readonly restart?: Partial<ServerConfig['restart']>;
};

/** What the upstream told the gateway, in order. */
export interface Heard {
  readonly what: string;
  readonly text?: string;
  readonly error?: GatewayError;
  readonly connection?: UpstreamConnection;
}

export interface Bench extends AsyncDisposable {
  readonly upstream: Upstream;
  readonly heard: readonly Heard[];
  readonly logs: readonly string[];
  /** Resolves with the first event of the kind, past or to come. */
  next(what: string, from?: number): Promise<Heard>;
}

/** An upstream with short waits, and everything that it says. */
export function bench(
  transport: TransportConfig,
  overrides: Overrides = {},
  deps: Partial<UpstreamDeps> = {},
): Bench {
  const heard: Heard[] = [];
  const logs: string[] = [];
  const waiting = new Set<() => void>();
  const note = (event: Heard): void => {
    heard.push(event);
    for (const check of [...waiting]) check();
  };
  const log = (fields: object, message: string): void => {
    logs.push(
      `${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? value.message : value))}`,
    );
  };
  const upstream = createUpstream({
    server: serverConfig(transport, overrides),
    logger: { debug: log, info: log, warn: log },
    clock: systemClock,
    events: {
      connected: () => note({ what: 'connected' }),
      disconnected: (_id, error) => note({ what: 'disconnected', error }),
      listChanged: (_id, kinds) => note({ what: 'listChanged', text: kinds.join() }),
      resourceUpdated: (_id, uri) => note({ what: 'resourceUpdated', text: uri }),
      notification: (connection, frame) =>
        note({ what: 'notification', text: frame.bytes.toString(), connection }),
      request: (connection, frame) => note({ what: 'request', text: frame.bytes.toString(), connection }),
      closed: (connection, error) => note({ what: 'closed', connection, error }),
    },
    clientInfo: { name: 'tollgate', version: '1' },
    gatewayEnv: process.env,
    runtime: createUpstreamRuntime(systemClock),
    messageBytes: 2_000_000,
    redact: (text) => text,
    ...deps,
  });
  return {
    upstream,
    heard,
    logs,
    next: (what, from = 0) =>
      new Promise((resolve) => {
        const check = (): void => {
          const found = heard.slice(from).find((event) => event.what === what);
          if (found === undefined) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: () => upstream.close(),
  };
}

function serverConfig(transport: TransportConfig, overrides: Overrides): ServerConfig {
  const { timeouts, restart, ...rest } = overrides;
  return {
    id: serverId('faulty'),
    namespace: 'faulty',
    enabled: true,
    transport,
    era: 'auto',
    isolation: 'shared',
    tools: {},
    prompts: {},
    resources: {},
    safeToRepeat: [],
    maxConcurrency: 64,
    idleStopMs: 0,
    ...rest,
    timeouts: { connectMs: 15_000, listMs: 15_000, callIdleMs: 15_000, callMaxMs: 15_000, ...timeouts },
    restart: { initialDelayMs: 50, maxDelayMs: 200, stableMs: 60_000, ...restart },
  };
}

export type Outcome =
  | { readonly kind: 'response'; readonly text: string; readonly status: number }
  | { readonly kind: 'streamed'; readonly text: string; readonly lengthBytes: number | undefined }
  | { readonly kind: 'failure'; readonly error: GatewayError };

export interface Placed {
  readonly handle: CallHandle;
  readonly messages: string[];
  readonly done: Promise<Outcome>;
}

export interface CallOptions extends Partial<Omit<UpstreamCall, 'frame'>> {
  /** As JSON text. */
  readonly id?: string;
  /** As JSON text, to test what happens to its bytes. */
  readonly params?: string;
  readonly onMessage?: (text: string) => void;
  /** False makes the receiver full until `resume`. */
  readonly onChunk?: (chunk: Buffer) => boolean;
}

export const frameText = (method: string, id: string, params: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

/** Places a call and records what its sink receives; a second ending is an error. */
export function place(connection: UpstreamConnection, options: CallOptions = {}): Placed {
  const { id = '1', params = '{"name":"t","arguments":{}}', method = 'tools/call' } = options;
  const messages: string[] = [];
  let settle: (outcome: Outcome) => void = () => undefined;
  const done = new Promise<Outcome>((resolve) => {
    settle = resolve;
  });
  let endings = 0;
  const end = (outcome: Outcome): void => {
    if (++endings > 1) throw new Error('the call ended twice');
    settle(outcome);
  };
  const chunks: Buffer[] = [];
  let lengthBytes: number | undefined;
  const handle = connection.call(
    {
      method,
      frame: scanFrame(Buffer.from(frameText(method, id, params))),
      headers: options.headers ?? [],
      wantsWhole: options.wantsWhole ?? false,
      idleMs: options.idleMs ?? 15_000,
      maxMs: options.maxMs ?? 15_000,
    },
    {
      message: (frame) => {
        messages.push(frame.bytes.toString());
        options.onMessage?.(frame.bytes.toString());
      },
      response: (frame, status) => end({ kind: 'response', text: frame.bytes.toString(), status }),
      responseStart: (bytes) => {
        lengthBytes = bytes;
      },
      responseChunk: (chunk) => {
        chunks.push(chunk);
        return options.onChunk?.(chunk) ?? true;
      },
      responseEnd: () => end({ kind: 'streamed', text: Buffer.concat(chunks).toString(), lengthBytes }),
      failure: (error) => end({ kind: 'failure', error }),
    },
  );
  return { handle, messages, done };
}

/** The text of a call's whole response. */
export async function answer(connection: UpstreamConnection, options: CallOptions = {}): Promise<string> {
  const outcome = await place(connection, options).done;
  if (outcome.kind === 'failure') throw outcome.error;
  return outcome.text;
}

/** The result of a call, parsed. */
export async function result(
  connection: UpstreamConnection,
  args: Record<string, unknown> = {},
  name = 't',
): Promise<Record<string, unknown>> {
  const text = await answer(connection, { params: JSON.stringify({ name, arguments: args }) });
  const { result: value } = JSON.parse(text) as { result: Record<string, unknown> };
  return value;
}

/** The error of a call that must fail. */
export async function failure(placed: Placed): Promise<GatewayError> {
  const outcome = await placed.done;
  if (outcome.kind !== 'failure') throw new Error(`the call was answered: ${outcome.text}`);
  return outcome.error;
}

export async function rejection(promise: Promise<unknown>): Promise<GatewayError> {
  try {
    await promise;
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('the promise was fulfilled');
}

/** True while a process runs; one that has ended and whose parent has not taken note does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
