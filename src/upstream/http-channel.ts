import type { Era, GatewayError } from '../domain/index.ts';
import { notificationFrame } from '../wire/index.ts';
import type { Channel, ChannelCall, ChannelEvents, UpstreamLogger } from './channel.ts';
import type { CallHandle, CallSink } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { Fail } from './failures.ts';
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
const DELETE_MS = 1_000;

/** What changes in the life of one HTTP channel. */
interface Session {
  era: Era | undefined;
  protocolVersion: string | undefined;
  id: string | undefined;
  failure: GatewayError | undefined;
}

/** Streamable HTTP in both eras. https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http */
export function openHttpChannel(deps: HttpChannelDeps): Channel {
  const session: Session = { era: undefined, protocolVersion: undefined, id: undefined, failure: undefined };
  const warn = createSteadyWarning(deps.deadlines, deps.logger);
  const deliver = (frame: Buffer): Promise<void> => post(deps, session, frame, closeWith);
  const quietly = (frame: Buffer): void => {
    deliver(frame).catch((error: unknown) =>
      deps.logger.debug({ err: error }, 'a message was not delivered'),
    );
  };
  const table = createInFlight({
    deadlines: deps.deadlines,
    fail: deps.fail,
    events: deps.events,
    reply: quietly,
    ended: deps.ended,
    stray: warn,
  });
  const sessionHeaders = (): string[] => headersOf(session);
  const streams = { ...deps, warn, table, sessionHeaders };
  const listener = createHttpListener({ ...streams, sessionLost: (error) => closeWith(error) });
  const reopen = createReopener(streams);
  const closeWith = (error: GatewayError): void => {
    if (session.failure !== undefined) return;
    session.failure = error;
    listener.close();
    table.failAll(error);
    deps.events.closed(error);
  };
  const peer = peerOf(deps, session, table, { warn, closeWith, quietly, reopen });
  return channelOf(deps, session, peer, { deliver, closeWith, listener });
}

interface ChannelParts {
  readonly deliver: (frame: Buffer) => Promise<void>;
  readonly closeWith: (error: GatewayError) => void;
  readonly listener: HttpListener;
}

function channelOf(deps: HttpChannelDeps, session: Session, peer: HttpPeer, parts: ChannelParts): Channel {
  return {
    pid: undefined,
    get isOpen() {
      return session.failure === undefined;
    },
    call: (call, sink) => {
      const isRemapped = session.era === 'legacy';
      const pending = new HttpCall(peer, call, sink, isRemapped ? peer.table.nextId() : undefined);
      const { failure } = session;
      // Never from inside `call`: its caller does not hold the handle yet.
      if (failure !== undefined) queueMicrotask(() => pending.failWith(failure));
      else pending.send();
      return pending;
    },
    deliver: async (frame) => {
      await parts.deliver(frame);
      if (session.era === 'legacy' && frame.includes('notifications/initialized')) parts.listener.open();
    },
    agreed: (era, protocolVersion) => {
      session.era = era;
      session.protocolVersion = protocolVersion;
      peer.table.isModern = era === 'modern';
    },
    close: async () => {
      const goodbye = session.id !== undefined && session.failure === undefined;
      parts.closeWith(deps.fail('UPSTREAM_CLOSED', 'was disconnected'));
      if (goodbye) await endSession(deps, session);
      await deps.origin.close();
    },
  };
}

interface PeerParts {
  readonly warn: (what: string) => void;
  readonly closeWith: (error: GatewayError) => void;
  readonly quietly: (frame: Buffer) => void;
  readonly reopen: HttpPeer['reopen'];
}

function peerOf(deps: HttpChannelDeps, session: Session, table: InFlight, parts: PeerParts): HttpPeer {
  const { origin, deadlines } = deps;
  return {
    table,
    origin,
    messageBytes: deps.messageBytes,
    warn: parts.warn,
    postHeaders: (call) => {
      const headers = [...BASE_HEADERS, ...origin.headers, ...headersOf(session)];
      if (session.era === 'modern') headers.push('mcp-method', call.method);
      if (session.era !== 'legacy') headers.push(...call.headers);
      return headers;
    },
    sawHeaders: (method, headers) => {
      // Modern servers have no sessions; an id that one sends anyway means nothing.
      if (method === 'initialize') session.id = headerText(headers['mcp-session-id']);
    },
    get hasSession() {
      return session.id !== undefined;
    },
    sessionLost: parts.closeWith,
    resend: deps.resend,
    tellCancelled: (method, wireId, reason) => {
      if (session.era !== 'legacy' || method === 'initialize' || session.failure !== undefined) return;
      const params = `{"requestId":${wireId},"reason":${JSON.stringify(reason)}}`;
      parts.quietly(Buffer.from(notificationFrame('notifications/cancelled', params)));
    },
    reopen: parts.reopen,
    linger: (run, afterMs) => {
      const dueMs = deadlines.now() + afterMs;
      const timed = {
        dueAtMs: () => dueMs,
        expire: () => {
          deadlines.delete(timed);
          run();
        },
      };
      deadlines.add(timed);
    },
  };
}

function headersOf(session: Session): string[] {
  const headers: string[] = [];
  if (session.id !== undefined) headers.push('mcp-session-id', session.id);
  const version = session.protocolVersion;
  if (version !== undefined && version >= VERSION_HEADER_SINCE) headers.push('mcp-protocol-version', version);
  return headers;
}

async function post(
  deps: HttpChannelDeps,
  session: Session,
  body: Buffer,
  closeWith: (error: GatewayError) => void,
): Promise<void> {
  const { origin, fail } = deps;
  const headers = [...BASE_HEADERS, ...origin.headers, ...headersOf(session)];
  const status = await simpleRequest({ origin, method: 'POST', url: origin.url, headers, body, fail });
  if (status < 300) return;
  const isLost = status === 404 && session.id !== undefined;
  const error = isLost
    ? fail('UPSTREAM_SESSION_LOST', 'no longer knows the session')
    : fail('UPSTREAM_REFUSED', `refused a notification (HTTP ${status})`, { data: { status } });
  if (isLost) closeWith(error);
  throw error;
}

async function endSession(deps: HttpChannelDeps, session: Session): Promise<void> {
  const { origin, fail } = deps;
  const headers = [...origin.headers, ...headersOf(session)];
  const farewell = simpleRequest({
    origin,
    method: 'DELETE',
    url: origin.url,
    headers,
    body: null,
    fail,
  }).catch(
    // Servers may refuse to end sessions (405) or be gone already; either way this side is done.
    (error: unknown) => deps.logger.debug({ err: error }, 'the session was not ended'),
  );
  let cancel = (): void => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = deps.after(DELETE_MS, resolve);
  });
  await Promise.race([farewell, limit]);
  cancel();
}
