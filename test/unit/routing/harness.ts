import { type Catalog, createCatalog } from '../../../src/catalog/index.ts';
import type { Era, GatewayError, ServerId } from '../../../src/domain/index.ts';
import { createPolicy, type Policy } from '../../../src/policy/index.ts';
import {
  createHub,
  createLogLevels,
  createRouter,
  type Exchange,
  type Host,
  type HostRequest,
  type Hub,
  type RequestNotes,
  type RoutedUpstream,
  type Router,
} from '../../../src/routing/index.ts';
import type {
  CallHandle,
  CallSink,
  UpstreamCall,
  UpstreamConnection,
  UpstreamIdentity,
} from '../../../src/upstream/index.ts';
import { type Frame, scanFrame } from '../../../src/wire/index.ts';
import { fakeServer, type FakeServer } from '../catalog/fake-server.ts';
import { silentLogger } from '../catalog/silent-logger.ts';
import { MAX_NAME } from '../catalog/snapshots.ts';
import { type ProfileRule, policyConfig, type ServerRule } from '../policy/config.ts';
import { manualClock, type ManualClock } from '../upstream/manual-clock.ts';

export const REVISION: Readonly<Record<Era, string>> = { modern: '2026-07-28', legacy: '2025-11-25' };

/** A call that reached a server. */
export interface Received {
  readonly call: UpstreamCall;
  readonly sink: CallSink;
  /** The frame as the server gets it. */
  readonly text: string;
  readonly params: Record<string, unknown>;
  cancelled: string | undefined;
  resumed: number;
  /** Answers with a result, given as JSON text. */
  respond(resultText: string): void;
  /** Answers with an error object, given as JSON text. */
  refuse(errorText: string): void;
  /** A message in the course of the call, given as the JSON text of a whole frame. */
  say(frameText: string): void;
}

export const frameOf = (text: string): Frame => scanFrame(Buffer.from(text));

/** An open connection that records what it is sent, and answers when the test says. */
export class FakeConnection implements UpstreamConnection {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo = undefined;
  readonly instructions = undefined;
  readonly isOpen = true;
  readonly received: Received[] = [];
  readonly notified: string[] = [];
  readonly replied: string[] = [];
  /** Answers each call as it comes. */
  onCall: ((received: Received) => void) | undefined;

  constructor(era: Era, more: Partial<Pick<UpstreamIdentity, 'capabilities' | 'protocolVersion'>> = {}) {
    this.era = era;
    this.protocolVersion = more.protocolVersion ?? REVISION[era];
    this.capabilities = more.capabilities ?? { tools: {}, prompts: {}, resources: {}, completions: {} };
  }

  call(call: UpstreamCall, sink: CallSink): CallHandle {
    const text = call.frame.bytes.toString('utf8');
    const id = call.frame.idText ?? 'null';
    const received: Received = {
      call,
      sink,
      text,
      params: (JSON.parse(text) as { params: Record<string, unknown> }).params,
      cancelled: undefined,
      resumed: 0,
      respond: (result) => sink.response(frameOf(`{"jsonrpc":"2.0","id":${id},"result":${result}}`), 200),
      refuse: (error) => sink.response(frameOf(`{"jsonrpc":"2.0","id":${id},"error":${error}}`), 200),
      say: (frameText) => sink.message(frameOf(frameText)),
    };
    this.received.push(received);
    this.onCall?.(received);
    return {
      cancel: (reason) => {
        received.cancelled = reason;
      },
      resume: () => {
        received.resumed++;
      },
    };
  }

  notify(frame: Buffer): void {
    this.notified.push(frame.toString('utf8'));
  }

  reply(frame: Buffer): void {
    this.replied.push(frame.toString('utf8'));
  }

  /** The one call that was received. */
  get only(): Received {
    const [received, ...others] = this.received;
    if (received === undefined || others.length > 0)
      throw new Error(`${this.received.length} calls were received`);
    return received;
  }
}

/** A host's side of one request. */
export class FakeExchange implements Exchange {
  readonly notes: RequestNotes = {};
  readonly messages: string[] = [];
  readonly asked: Frame[] = [];
  readonly chunks: string[] = [];
  /** Every ending that was reported; there must be exactly one. */
  readonly endings: { readonly text?: string; readonly status?: number; readonly error?: GatewayError }[] =
    [];
  started: number | undefined | 'no' = 'no';
  rests = 0;
  /** Whether the host can be asked, and what it answers at once. */
  canAsk = false;
  answer: ((answer: Frame) => void) | undefined;
  isFull = false;
  #onCancel: ((reason: string) => void) | undefined;
  #onDrain: (() => void) | undefined;
  #isGone = false;

  message(frame: Buffer): void {
    this.messages.push(frame.toString('utf8'));
  }

  ask(frame: Frame, onAnswer: (answer: Frame) => void): boolean {
    if (!this.canAsk) return false;
    this.asked.push(frame);
    this.answer = onAnswer;
    return true;
  }

  respond(frame: Buffer, status: number): void {
    this.#end({ text: frame.toString('utf8'), status });
  }

  respondStart(lengthBytes: number | undefined): void {
    this.started = lengthBytes;
  }

  respondChunk(chunk: Buffer): boolean {
    this.chunks.push(chunk.toString('utf8'));
    return !this.isFull;
  }

  respondEnd(): void {
    this.#end({ text: this.chunks.join('') });
  }

  fail(error: GatewayError): void {
    this.#end({ error });
  }

  rest(): void {
    this.rests++;
  }

  onCancel(listener: (reason: string) => void): void {
    this.#onCancel = listener;
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  cancel(reason = 'the host left'): void {
    this.#isGone = true;
    this.#onCancel?.(reason);
  }

  drain(): void {
    this.#onDrain?.();
  }

  #end(ending: FakeExchange['endings'][number]): void {
    if (!this.#isGone) this.endings.push(ending);
  }

  get ending(): FakeExchange['endings'][number] {
    const [ending, ...others] = this.endings;
    if (ending === undefined || others.length > 0) throw new Error(`${this.endings.length} endings`);
    return ending;
  }

  /** The text of the response. */
  get text(): string {
    const { text, error } = this.ending;
    if (text === undefined) throw error ?? new Error('no response');
    return text;
  }

  get result(): Record<string, unknown> {
    return (JSON.parse(this.text) as { result: Record<string, unknown> }).result;
  }

  get error(): GatewayError | undefined {
    return this.ending.error;
  }
}

export function hostOf(era: Era, more: Partial<Host> & { readonly profile?: string } = {}): Host {
  const { profile = 'default', ...others } = more;
  return {
    principal: { id: 'someone', profile },
    era,
    protocolVersion: REVISION[era],
    capabilities: {},
    clientInfo: { name: 'host', version: '1' },
    sessionKey: era === 'legacy' ? 'session' : undefined,
    logLevel: undefined,
    ...others,
  };
}

export interface RequestOptions extends Partial<Host> {
  readonly profile?: string;
  readonly idText?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose params are given as a value or, where the bytes matter, as JSON text. */
export function requestOf(
  era: Era,
  method: string,
  params: object | string,
  options: RequestOptions = {},
): HostRequest {
  const { idText = '7', headers, ...host } = options;
  const paramsText = typeof params === 'string' ? params : JSON.stringify(params);
  const frame = frameOf(
    `{"jsonrpc":"2.0","id":${idText},"method":${JSON.stringify(method)},"params":${paramsText}}`,
  );
  const value = (JSON.parse(paramsText) ?? {}) as Record<string, unknown>;
  const span = frame.members.get('params');
  return {
    host: hostOf(era, host),
    frame,
    method,
    idText,
    params: value,
    paramsSpan: paramsText === 'null' ? undefined : span,
    headerOf: headers === undefined ? undefined : (name) => headers[name],
  };
}

/** The envelope of a stateless request, as members of `_meta`. */
export const ENVELOPE =
  '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"host","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}';

export interface Gateway {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly router: Router;
  readonly hub: Hub;
  readonly clock: ManualClock;
  /** Relays a request and hands back its exchange. */
  relay(request: HostRequest, exchange?: FakeExchange): FakeExchange;
}

export interface GatewayOptions {
  readonly rules?: readonly ServerRule[];
  readonly profiles?: readonly ProfileRule[];
  /** The server whose names stay as they are. */
  readonly bare?: string;
  readonly keepsResults?: boolean;
}

export function gatewayOf(servers: readonly FakeServer[], options: GatewayOptions = {}): Gateway {
  const clock = manualClock();
  const rules = servers.map(({ id }) => options.rules?.find((rule) => rule.id === id) ?? { id });
  const policy = createPolicy(policyConfig(rules, options.profiles));
  const upstreams = new Map<ServerId, RoutedUpstream>(
    servers.map((upstream) => [upstream.id, { upstream, idleMs: 60_000, maxMs: 600_000 }]),
  );
  const catalog = createCatalog({
    servers: servers.map((upstream) => ({
      id: upstream.id,
      namespace: upstream.id === options.bare ? '' : upstream.id,
      upstream,
    })),
    nameMaxLength: MAX_NAME,
    clock,
    logger: silentLogger,
  });
  const router = createRouter({
    catalog,
    policy,
    upstreams,
    logLevels: createLogLevels(),
    refreshAgeMs: 5_000,
    keepsResults: options.keepsResults ?? false,
  });
  const hub = createHub({ catalog, policy, upstreams });
  return {
    catalog,
    policy,
    router,
    hub,
    clock,
    relay: (request, exchange = new FakeExchange()) => {
      router.relay(request, exchange);
      return exchange;
    },
  };
}

/** A server that is connected in the given era. */
export function connected(
  id: string,
  era: Era,
  declared: Parameters<typeof fakeServer>[1] = {},
  more: ConstructorParameters<typeof FakeConnection>[1] = {},
): { readonly server: FakeServer; readonly connection: FakeConnection } {
  const connection = new FakeConnection(era, more);
  const server = fakeServer(id, declared, {
    era,
    protocolVersion: connection.protocolVersion,
    capabilities: connection.capabilities,
  });
  server.connection = connection;
  return { server, connection };
}

/** Lets everything that is settled run its course. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await Promise.resolve();
}
