import { BATCH_VERSION, type Clock, GatewayError, LEGACY_VERSIONS } from '../domain/index.ts';
import { resultFrame } from '../wire/index.ts';
import { serveBatch } from './batch.ts';
import { SSE_HEADERS } from './event-stream.ts';
import { type HttpRequest, plain, reject, write } from './http-answers.ts';
import { httpBatchWay } from './http-batch.ts';
import { createHttpExchange, type WaitingSet } from './http-exchange.ts';
import { takeNotification } from './legacy-notifications.ts';
import { legacyRequest } from './legacy-request.ts';
import { type LegacySession, PRIMING_VERSION } from './legacy-session.ts';
import { type HostMessage, isRecord } from './message.ts';
import { type Methods, negotiateLegacyVersion } from './methods.ts';
import type { OutcomeListener } from './outcome.ts';
import type { SessionStore } from './session-store.ts';

export const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';
/** When sessions run out, one may well have become idle after this long. */
const RETRY_AFTER_SECONDS = 30;

export interface LegacyHttpDeps {
  readonly sessions: SessionStore;
  readonly methods: Methods;
  readonly clock: Clock;
  readonly onEnd: OutcomeListener;
  readonly waiting: WaitingSet;
  /** The host's roots changed: handshake servers of its session are told. */
  readonly forward: (session: LegacySession, message: HostMessage) => void;
}

/** The handshake era over Streamable HTTP. */
export interface LegacyHttp {
  post(http: HttpRequest, message: HostMessage): void;
  postBatch(http: HttpRequest, body: Buffer, values: readonly unknown[]): void;
  get(http: HttpRequest): void;
  end(http: HttpRequest): void;
}

export function createLegacyHttp(deps: LegacyHttpDeps): LegacyHttp {
  return {
    post: (http, message) => {
      if (message.frame.method === 'initialize' && message.frame.kind === 'request')
        return initialize(deps, http, message);
      const session = sessionOf(deps, http, message.frame.idText);
      if (session === undefined) return;
      if (message.frame.kind === 'request') return serveRequest(deps, http, session, message);
      take(deps, session, message);
      plain(http.res, 202, http.cors);
    },
    postBatch: (http, body, values) => {
      const session = sessionOf(deps, http);
      if (session === undefined) return;
      if (session.host().protocolVersion !== BATCH_VERSION || values.length === 0) {
        const what = `Batches are part of protocol version ${BATCH_VERSION} alone, and are never empty`;
        return refuse(http, 400, what);
      }
      const { clock, waiting, methods, onEnd } = deps;
      const way = httpBatchWay({ http, session, headers: headersOf(http, session), clock, waiting });
      const batch = { session, methods, clock, onEnd, take: (one: HostMessage) => take(deps, session, one) };
      serveBatch(batch, way, body, values);
    },
    get: (http) => {
      const session = sessionOf(deps, http);
      if (session === undefined) return;
      if (!http.accepts.stream) return refuse(http, 406, 'Accept must list text/event-stream');
      http.res.on('error', () => undefined);
      http.res.writeHead(200, [...SSE_HEADERS, ...headersOf(http, session)]);
      const lastEventId = http.headerOf('last-event-id');
      if (lastEventId !== undefined && session.resume(http.res, lastEventId)) return;
      session.openGetStream(http.res);
    },
    end: (http) => {
      const session = sessionOf(deps, http);
      if (session === undefined) return;
      deps.sessions.end(session.id);
      plain(http.res, 200, http.cors);
    },
  };
}

const refuse = (http: HttpRequest, status: number, what: string, idText?: string): void =>
  reject(http.res, status, new GatewayError('REQUEST_INVALID', what), http.cors, idText);

const headersOf = (http: HttpRequest, session: LegacySession): string[] => [
  SESSION_HEADER,
  session.id,
  ...http.cors,
];

/** The live session of a request; otherwise the request is answered here and undefined comes back. */
function sessionOf(deps: LegacyHttpDeps, http: HttpRequest, idText?: string): LegacySession | undefined {
  const id = http.headerOf(SESSION_HEADER);
  const version = http.headerOf(VERSION_HEADER);
  const isKnown = version === undefined || LEGACY_VERSIONS.includes(version.trim());
  if (id === undefined) {
    if (isKnown) refuse(http, 400, 'Mcp-Session-Id is missing: begin with initialize', idText);
    else reject(http.res, 400, unsupported(version), http.cors, idText);
    return undefined;
  }
  const session = deps.sessions.get(id);
  // A session of another profile is as unknown as one that never was.
  if (session === undefined || session.host().principal.profile !== http.principal.profile) {
    refuse(http, 404, 'The session has ended or never was: begin again with initialize', idText);
    return undefined;
  }
  if (!isKnown) {
    const own = session.host().protocolVersion;
    const what = `MCP-Protocol-Version ${JSON.stringify(version)} is not supported; this session speaks ${own}`;
    refuse(http, 400, what, idText);
    return undefined;
  }
  return session;
}

/** A host of a revision to come learns from this error what it can speak here instead. */
const unsupported = (version: string): GatewayError =>
  new GatewayError('VERSION_UNSUPPORTED', `Unsupported protocol version: ${version}`, {
    data: { requested: version },
  });

function initialize(deps: LegacyHttpDeps, http: HttpRequest, message: HostMessage): void {
  const { capabilities, clientInfo, protocolVersion } = message.params;
  const { idText = 'null', bytes } = message.frame;
  const session = deps.sessions.create({
    principal: http.principal,
    protocolVersion: negotiateLegacyVersion(protocolVersion),
    capabilities: isRecord(capabilities) ? capabilities : {},
    clientInfo: isRecord(clientInfo) ? clientInfo : undefined,
  });
  if (session === undefined) {
    const error = new GatewayError('REQUEST_INVALID', 'Too many sessions are at work (limits.maxSessions)');
    return reject(http.res, 503, error, ['retry-after', String(RETRY_AFTER_SECONDS), ...http.cors], idText);
  }
  const startedAt = deps.clock.now();
  http.res.on('error', () => undefined);
  http.res.on('close', () => {
    // The host never learned the id, so nobody can use the session or end it.
    if (!http.res.writableFinished) deps.sessions.end(session.id);
  });
  deps.methods.initializeResult(session.host()).then(
    (resultText) => {
      const body = resultFrame(idText, resultText);
      write(http.res, 200, body, headersOf(http, session));
      deps.onEnd({
        host: session.host(),
        method: 'initialize',
        notes: {},
        status: http.res.destroyed ? 'cancelled' : 'ok',
        durationMs: deps.clock.now() - startedAt,
        requestBytes: bytes.length,
        responseBytes: body.length,
        error: undefined,
      });
    },
    (thrown: unknown) => {
      deps.sessions.end(session.id);
      const error = new GatewayError('INTERNAL', 'The handshake failed', { cause: thrown });
      reject(http.res, 500, error, http.cors, idText);
    },
  );
}

/** Everything of a session that is not a request. */
function take(deps: LegacyHttpDeps, session: LegacySession, message: HostMessage): void {
  if (message.frame.kind === 'notification') takeNotification(session, message, deps.forward);
  else session.answer(message.frame);
}

function serveRequest(
  deps: LegacyHttpDeps,
  http: HttpRequest,
  session: LegacySession,
  message: HostMessage,
): void {
  const { frame } = message;
  const idText = frame.idText ?? 'null';
  if (session.isInFlight(idText)) {
    return refuse(http, 400, `A request with id ${idText} is still being served`, idText);
  }
  const host = session.host();
  const exchange = createHttpExchange({
    res: http.res,
    host,
    method: frame.method ?? '',
    idText,
    requestBytes: frame.bytes.length,
    clock: deps.clock,
    extraHeaders: headersOf(http, session),
    openStream: http.accepts.stream ? (res) => session.openStream(res) : undefined,
    needsStream: !http.accepts.json,
    outgoing: (bytes) => session.outgoing(idText, bytes),
    ask: (question, onAnswer) => session.ask(idText, question, onAnswer, (asked) => exchange.question(asked)),
    onEnd: (outcome) => {
      session.finish(idText);
      deps.onEnd(outcome);
    },
    waiting: deps.waiting,
  });
  session.begin(idText, exchange);
  // A call may take long: the stream, and with it an id to come back with, is there from the start.
  const isPrimed = frame.method === 'tools/call' && host.protocolVersion >= PRIMING_VERSION;
  if (isPrimed || http.accepts.prefersStream) exchange.openEarly();
  deps.methods.serve(legacyRequest(session, message), exchange, session);
}
