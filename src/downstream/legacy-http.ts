import { BATCH_VERSION, type Clock, GatewayError, LEGACY_VERSIONS } from '../domain/index.ts';
import { elementSpans, resultFrame, rootSpan } from '../wire/index.ts';
import { createBatch } from './batch.ts';
import { SSE_HEADERS } from './event-stream.ts';
import { type HttpRequest, plain, reject, write } from './http-answers.ts';
import { createHttpExchange, type WaitingSet } from './http-exchange.ts';
import { takeNotification } from './legacy-notifications.ts';
import type { LegacySession } from './legacy-session.ts';
import { type HostMessage, isRecord, readMessage } from './message.ts';
import { type Methods, negotiateLegacyVersion } from './methods.ts';
import type { OutcomeListener } from './outcome.ts';
import type { SessionStore } from './session-store.ts';

export const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';
/** The first revision whose streams open with an event that a host can resume from. */
const PRIMING_VERSION = '2025-11-25';

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
  /** The live session of a request; otherwise the request is answered here and undefined comes back. */
  const sessionOf = (http: HttpRequest): LegacySession | undefined => {
    const id = http.headerOf(SESSION_HEADER);
    if (id === undefined) {
      refuse(http, 400, 'Mcp-Session-Id is missing: begin with initialize');
      return undefined;
    }
    const session = deps.sessions.get(id);
    // A session of another profile is as unknown as one that never was.
    if (session === undefined || session.host().principal.profile !== http.principal.profile) {
      refuse(http, 404, 'The session has ended or never was: begin again with initialize');
      return undefined;
    }
    const version = http.headerOf(VERSION_HEADER);
    if (version !== undefined && !LEGACY_VERSIONS.includes(version)) {
      refuse(
        http,
        400,
        `MCP-Protocol-Version ${JSON.stringify(version)} is not supported; this session speaks ${session.host().protocolVersion}`,
      );
      return undefined;
    }
    return session;
  };

  return {
    post: (http, message) => {
      if (message.frame.method === 'initialize' && message.frame.kind === 'request')
        return initialize(deps, http, message);
      const session = sessionOf(http);
      if (session === undefined) return;
      if (message.frame.kind === 'request') return serveRequest(deps, http, session, message);
      take(deps, session, message);
      plain(http.res, 202, http.cors);
    },
    postBatch: (http, body, values) => {
      const session = sessionOf(http);
      if (session === undefined) return;
      if (session.host().protocolVersion !== BATCH_VERSION || values.length === 0) {
        return refuse(
          http,
          400,
          'Batches are part of protocol version 2025-03-26 alone, and are never empty',
        );
      }
      serveBatch(deps, http, session, body, values);
    },
    get: (http) => {
      const session = sessionOf(http);
      if (session === undefined) return;
      if (!http.takesStream) return refuse(http, 406, 'Accept must list text/event-stream');
      http.res.writeHead(200, [...SSE_HEADERS, SESSION_HEADER, session.id, ...http.cors]);
      const lastEventId = http.headerOf('last-event-id');
      if (lastEventId !== undefined && session.resume(http.res, lastEventId)) return;
      session.openGetStream(http.res);
    },
    end: (http) => {
      const session = sessionOf(http);
      if (session === undefined) return;
      deps.sessions.end(session.id);
      plain(http.res, 200, http.cors);
    },
  };
}

const refuse = (http: HttpRequest, status: number, what: string): void =>
  reject(http.res, status, new GatewayError('REQUEST_INVALID', what), http.cors);

function initialize(deps: LegacyHttpDeps, http: HttpRequest, message: HostMessage): void {
  const { capabilities, clientInfo, protocolVersion } = message.params;
  const handshake = {
    principal: http.principal,
    protocolVersion: negotiateLegacyVersion(protocolVersion),
    capabilities: isRecord(capabilities) ? capabilities : {},
    clientInfo: isRecord(clientInfo) ? clientInfo : undefined,
  };
  const session = deps.sessions.create(handshake);
  const startedAt = deps.clock.now();
  deps.methods.initializeResult(session.host()).then(
    (resultText) => {
      const body = resultFrame(message.frame.idText ?? 'null', resultText);
      write(http.res, 200, body, [SESSION_HEADER, session.id, ...http.cors]);
      deps.onEnd({
        host: session.host(),
        method: 'initialize',
        notes: {},
        status: 'ok',
        durationMs: deps.clock.now() - startedAt,
        requestBytes: message.frame.bytes.length,
        responseBytes: body.length,
        error: undefined,
      });
    },
    (thrown: unknown) => {
      deps.sessions.end(session.id);
      reject(
        http.res,
        500,
        new GatewayError('INTERNAL', 'The handshake failed', { cause: thrown }),
        http.cors,
      );
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
  if (session.inFlight.has(idText)) {
    return refuse(http, 400, `A request with id ${idText} is still being served`);
  }
  const host = session.host();
  const exchange = createHttpExchange({
    res: http.res,
    host,
    method: frame.method ?? '',
    idText,
    requestBytes: frame.bytes.length,
    clock: deps.clock,
    extraHeaders: [SESSION_HEADER, session.id, ...http.cors],
    openStream: http.takesStream ? (res) => session.openStream(res) : undefined,
    ask: (question, onAnswer) =>
      session.ask(question, onAnswer, (asked) => {
        exchange.message(asked);
        return http.takesStream;
      }),
    onEnd: (outcome) => {
      session.inFlight.delete(idText);
      deps.onEnd(outcome);
    },
    waiting: deps.waiting,
  });
  session.inFlight.set(idText, exchange);
  // A call may take long: the stream, and with it an id to come back with, is there from the start.
  const isPrimed = frame.method === 'tools/call' && host.protocolVersion >= PRIMING_VERSION;
  if (isPrimed || http.prefersStream) exchange.openEarly();
  deps.methods.serve(hostRequest(session, message, idText), exchange, session);
}

const hostRequest = (
  session: LegacySession,
  message: HostMessage,
  idText: string,
): Parameters<Methods['serve']>[0] => ({
  host: session.host(),
  frame: message.frame,
  method: message.frame.method ?? '',
  idText,
  params: message.params,
  paramsSpan: message.paramsSpan,
  headerOf: undefined,
});

function serveBatch(
  deps: LegacyHttpDeps,
  http: HttpRequest,
  session: LegacySession,
  body: Buffer,
  values: readonly unknown[],
): void {
  const spans = elementSpans(body, rootSpan(body));
  const messages = spans.map((span, index) =>
    readMessage(body.subarray(span.start, span.end), values[index]),
  );
  const requests = messages.filter((message) => message.frame.kind === 'request');
  for (const message of messages) if (message.frame.kind !== 'request') take(deps, session, message);
  if (requests.length === 0) return plain(http.res, 202, http.cors);
  const batch = createBatch({
    res: http.res,
    session,
    count: requests.length,
    extraHeaders: [SESSION_HEADER, session.id, ...http.cors],
    takesStream: http.takesStream,
    clock: deps.clock,
    onEnd: deps.onEnd,
  });
  for (const message of requests) {
    const idText = message.frame.idText ?? 'null';
    const exchange = batch.exchange(message, idText);
    if (message.frame.method === 'initialize')
      exchange.fail(new GatewayError('REQUEST_INVALID', 'initialize is never part of a batch'));
    else deps.methods.serve(hostRequest(session, message, idText), exchange, session);
  }
}
