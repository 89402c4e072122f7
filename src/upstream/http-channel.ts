import type { IncomingHttpHeaders } from 'node:http';
import { asGatewayError, type Era, type GatewayError } from '../domain/index.ts';
import { notificationFrame } from '../wire/index.ts';
import type { Channel, ChannelCall, ChannelEvents, UpstreamLogger } from './channel.ts';
import type { CallHandle, CallSink } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import { exchange } from './exchange.ts';
import { errorCodeOf, type Fail, METHOD_NOT_FOUND, rejectionOf } from './failures.ts';
import { HttpCall } from './http-call.ts';
import { headerText } from './http-encoding.ts';
import { createHttpListener, type HttpListener } from './http-listener.ts';
import type { HttpOrigin } from './http-origin.ts';
import type { HttpPeer } from './http-peer.ts';
import { simpleRequest } from './http-post.ts';
import { createReopener } from './http-reopen.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import type { PendingCall } from './pending-call.ts';
import { createSteadyWarning } from './steady-warning.ts';

export interface HttpChannelDeps {
  readonly origin: HttpOrigin;
  readonly deadlines: Deadlines;
  readonly fail: Fail;
  readonly logger: UpstreamLogger;
  readonly events: ChannelEvents;
  readonly ended: (call: PendingCall) => void;
  readonly messageBytes: number;
  /** Sends a call again over the connection that replaces this one. */
  readonly resend: (call: ChannelCall, sink: CallSink) => CallHandle;
  /** Waits once; the channel's clock. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/** Streamable HTTP in both eras. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http */
export const openHttpChannel = (deps: HttpChannelDeps): Channel => new HttpChannel(deps);

const BASE_HEADERS: readonly string[] = [
  'content-type',
  'application/json',
  'accept',
  'application/json, text/event-stream',
  'accept-encoding',
  'identity',
];
/** The first revision that has the header. https://modelcontextprotocol.io/specification/2025-06-18/basic/transports#protocol-version-header */
const VERSION_HEADER_SINCE = '2025-06-18';
/** How long the farewell to a session may take. */
const FAREWELL_MS = 1_000;
/** How long a doubtful session may take to prove itself. */
const CHECK_MS = 5_000;
/** How long the calls on a lost connection may take to hear of it from the server itself. */
const DRAIN_MS = 1_000;

class HttpChannel implements Channel, HttpPeer {
  readonly pid = undefined;
  readonly table: InFlight;
  readonly origin: HttpOrigin;
  readonly messageBytes: number;
  readonly warn: (what: string) => void;
  readonly reopen: HttpPeer['reopen'];
  readonly resend: HttpChannelDeps['resend'];
  readonly #deps: HttpChannelDeps;
  readonly #listener: HttpListener;
  #era: Era | undefined;
  #version: string | undefined;
  #sessionId: string | undefined;
  #postHeaders: readonly string[] = [];
  #failure: GatewayError | undefined;
  #drained: () => void = () => undefined;
  #check: Promise<boolean> | undefined;

  constructor(deps: HttpChannelDeps) {
    this.#deps = deps;
    this.origin = deps.origin;
    this.messageBytes = deps.messageBytes;
    this.resend = deps.resend;
    this.warn = createSteadyWarning(deps.deadlines, deps.logger);
    this.table = createInFlight({
      ...deps,
      reply: (frame) => this.#deliverQuietly(frame),
      ended: (call) => {
        deps.ended(call);
        if (this.table.size === 0) this.#drained();
      },
      stray: this.warn,
      outdated: (error) => this.lost(error),
    });
    const streams = {
      ...deps,
      warn: this.warn,
      table: this.table,
      sessionHeaders: () => this.#sessionHeaders(),
    };
    this.#listener = createHttpListener({ ...streams, sessionLost: (error) => this.lost(error) });
    this.reopen = createReopener(streams);
    this.#composeHeaders();
  }

  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  get hasSession(): boolean {
    return this.#sessionId !== undefined;
  }

  call(call: ChannelCall, sink: CallSink): CallHandle {
    const pending = new HttpCall(this, call, sink, this.#era === 'legacy' ? this.table.nextId() : undefined);
    const failure = this.#failure;
    // Never from inside `call`: its caller does not hold the handle yet.
    if (failure !== undefined) queueMicrotask(() => pending.failWith(failure));
    else pending.send();
    return pending;
  }

  agreed(era: Era, protocolVersion: string): void {
    this.#era = era;
    this.#version = protocolVersion;
    this.table.isModern = era === 'modern';
    this.#composeHeaders();
  }

  established(): void {
    if (this.#era === 'legacy') this.#listener.open();
  }

  async deliver(frame: Buffer): Promise<void> {
    const { origin, fail, deadlines } = this.#deps;
    const request = { origin, url: origin.url, headers: [...this.#postHeaders], fail, deadlines };
    const status = await simpleRequest({ ...request, method: 'POST', body: frame });
    if (status < 300) return;
    if (status === 404 && this.hasSession) {
      const error = fail('UPSTREAM_SESSION_LOST', 'no longer knows the session');
      this.lost(error);
      throw error;
    }
    throw fail('UPSTREAM_REFUSED', `refused a message (HTTP ${status})`, { data: { status } });
  }

  async close(): Promise<void> {
    this.#listener.close();
    if (this.#failure === undefined) {
      const error = this.#deps.fail('UPSTREAM_CLOSED', 'was disconnected');
      this.#failure = error;
      this.table.failAll(error);
      this.#deps.events.closed(error);
      if (this.hasSession) await this.#endSession();
    } else {
      // Each call of a lost session learns its own fate: carried out, or certainly not delivered.
      if (this.table.size > 0)
        await this.#within(DRAIN_MS, new Promise<void>((done) => (this.#drained = done)));
      this.table.failAll(this.#failure);
    }
    await this.#deps.origin.close();
  }

  postHeaders(call: ChannelCall): string[] {
    if (this.#era === 'legacy') return [...this.#postHeaders];
    const headers = this.#postHeaders.concat(call.headers);
    if (this.#era === 'modern') headers.push('mcp-method', call.method);
    return headers;
  }

  sawHeaders(method: string, headers: IncomingHttpHeaders): void {
    // Modern servers have no sessions; an id that one sends anyway means nothing.
    if (method !== 'initialize') return;
    this.#sessionId = headerText(headers['mcp-session-id']);
    this.#composeHeaders();
  }

  isSessionAlive(): Promise<boolean> {
    this.#check ??= this.#pingSession().finally(() => {
      this.#check = undefined;
    });
    return this.#check;
  }

  async #pingSession(): Promise<boolean> {
    const request = { method: 'ping', params: {}, idleMs: CHECK_MS, maxMs: CHECK_MS };
    try {
      const { frame, status } = await exchange(this, request);
      return status < 400 || errorCodeOf(frame) === METHOD_NOT_FOUND;
    } catch (error) {
      const status = rejectionOf(error)?.status;
      return status !== 400 && asGatewayError(error, 'ping').code !== 'UPSTREAM_SESSION_LOST';
    }
  }

  lost(error: GatewayError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#listener.close();
    this.#deps.events.closed(error);
  }

  tellCancelled(method: string, wireId: string, reason: string): void {
    if (this.#era !== 'legacy' || method === 'initialize' || !this.isOpen) return;
    const params = `{"requestId":${wireId},"reason":${JSON.stringify(reason)}}`;
    this.#deliverQuietly(Buffer.from(notificationFrame('notifications/cancelled', params)));
  }

  linger(run: () => void, afterMs: number): void {
    const { deadlines } = this.#deps;
    const dueMs = deadlines.now() + afterMs;
    const seat = deadlines.add({
      dueAtMs: () => dueMs,
      expire: () => {
        deadlines.leave(seat);
        run();
      },
    });
  }

  #deliverQuietly(frame: Buffer): void {
    this.deliver(frame).catch((error: unknown) =>
      this.#deps.logger.debug({ err: error }, 'a message was not delivered'),
    );
  }

  #sessionHeaders(): string[] {
    const headers: string[] = [];
    if (this.#sessionId !== undefined) headers.push('mcp-session-id', this.#sessionId);
    const version = this.#version;
    if (version !== undefined && version >= VERSION_HEADER_SINCE)
      headers.push('mcp-protocol-version', version);
    return headers;
  }

  /** The same for every POST of a session, so they are put together once. */
  #composeHeaders(): void {
    this.#postHeaders = [...BASE_HEADERS, ...this.origin.headers, ...this.#sessionHeaders()];
  }

  async #endSession(): Promise<void> {
    const { origin, fail, logger, deadlines } = this.#deps;
    const headers = [...origin.headers, ...this.#sessionHeaders()];
    const request = { origin, url: origin.url, headers, fail, deadlines };
    const farewell = simpleRequest({ ...request, method: 'DELETE', body: null });
    // Servers may refuse to end sessions (405) or be gone already; either way this side is done.
    await this.#within(
      FAREWELL_MS,
      farewell.catch((error: unknown) => logger.debug({ err: error }, 'the session was not ended')),
    );
  }

  async #within(limitMs: number, event: Promise<unknown>): Promise<void> {
    let cancel = (): void => undefined;
    const limit = new Promise<void>((resolve) => {
      cancel = this.#deps.after(limitMs, resolve);
    });
    await Promise.race([event, limit]);
    cancel();
  }
}
