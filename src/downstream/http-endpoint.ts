import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENDPOINT_PATH } from '../config/index.ts';
import { ANONYMOUS, asGatewayError, type Clock, DEFAULT_PROFILE, GatewayError } from '../domain/index.ts';
import { parseJson, readBody } from './body.ts';
import { errorAnswer } from './error-responses.ts';
import { plainEventStream } from './event-stream.ts';
import { acceptsOf, headerReader, isJsonType, paramHeadersIn } from './host-headers.ts';
import { type HttpRequest, plain, reject, write } from './http-answers.ts';
import { createHttpExchange, type WaitingSet } from './http-exchange.ts';
import { type LegacyHttp, SESSION_HEADER } from './legacy-http.ts';
import { type HostMessage, readMessage } from './message.ts';
import type { Methods } from './methods.ts';
import { checkNotification, eraOf, isModernVersion, modernHost } from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';
import { corsHeaders, type Perimeter, preflightHeaders } from './perimeter.ts';
import { outgoingUnasked } from './questions.ts';
import { readableId } from './request-ids.ts';

export interface HttpEndpointDeps {
  readonly perimeter: Perimeter;
  readonly methods: Methods;
  readonly legacy: LegacyHttp;
  readonly hasProfile: (name: string) => boolean;
  readonly maxBodyBytes: number;
  /** True once the gateway stops: what has begun is finished, and nothing more begins. */
  readonly isStopping: () => boolean;
  readonly clock: Clock;
  readonly onEnd: OutcomeListener;
  readonly waiting: WaitingSet;
}

/** Serves a request on the MCP endpoint; false when its path is not the endpoint's. */
export type HttpEndpoint = (req: IncomingMessage, res: ServerResponse) => boolean;

export function createHttpEndpoint(deps: HttpEndpointDeps): HttpEndpoint {
  return (req, res) => {
    const profile = profileOf(req.url ?? '');
    if (profile === undefined) return false;
    const { origin } = req.headers;
    const fault = deps.perimeter.check(req.headers.host, origin);
    if (fault !== undefined) {
      reject(res, fault.status, new GatewayError('REQUEST_INVALID', fault.message), []);
      return true;
    }
    const cors = corsHeaders(origin);
    if (!deps.hasProfile(profile)) {
      plain(res, 404, cors);
      return true;
    }
    const http: HttpRequest = {
      req,
      res,
      principal: { id: ANONYMOUS, profile },
      headerOf: headerReader(req),
      accepts: acceptsOf(req.headers.accept),
      cors,
    };
    try {
      route(deps, http);
    } catch (thrown) {
      reject(res, 400, asGatewayError(thrown, 'The request could not be read'), cors);
    }
    return true;
  };
}

function route(deps: HttpEndpointDeps, http: HttpRequest): void {
  const { req, res, cors } = http;
  switch (req.method) {
    case 'POST':
      return post(deps, http);
    case 'GET':
    case 'DELETE': {
      // The stateless era has neither; hosts that know of sessions say so with a session id.
      // https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#earlier-streamable-http-revisions
      const isModern = isModernVersion(http.headerOf('mcp-protocol-version'));
      if (isModern || http.headerOf(SESSION_HEADER) === undefined)
        return plain(res, 405, ['allow', 'POST, OPTIONS', ...cors]);
      return req.method === 'GET' ? deps.legacy.get(http) : deps.legacy.end(http);
    }
    case 'OPTIONS':
      return plain(
        res,
        204,
        preflightHeaders(req.headers.origin, req.headers['access-control-request-headers']),
      );
    default:
      return plain(res, 405, ['allow', 'GET, POST, DELETE, OPTIONS', ...cors]);
  }
}

function post(deps: HttpEndpointDeps, http: HttpRequest): void {
  const { req, res, cors } = http;
  if (deps.isStopping()) {
    const error = new GatewayError('SHUTTING_DOWN', 'The gateway is stopping; ask again in a moment');
    return reject(res, 503, error, ['retry-after', '1', 'connection', 'close', ...cors]);
  }
  if (!isJsonType(req.headers['content-type'])) {
    return refuse(http, 415, 'Content-Type must be application/json');
  }
  if (!http.accepts.json && !http.accepts.stream) {
    return refuse(http, 406, 'Accept must list application/json and text/event-stream');
  }
  readBody(req, deps.maxBodyBytes, {
    done: (body) => serveBody(deps, http, body),
    tooLarge: () => {
      const what = `The request body is larger than ${deps.maxBodyBytes} bytes (limits.requestBodyBytes)`;
      reject(res, 413, new GatewayError('REQUEST_INVALID', what), ['connection', 'close', ...cors]);
    },
  });
}

const refuse = (http: HttpRequest, status: number, what: string): void =>
  reject(http.res, status, new GatewayError('REQUEST_INVALID', what), http.cors);

function serveBody(deps: HttpEndpointDeps, http: HttpRequest, body: Buffer): void {
  let value: unknown;
  try {
    const isModernHeader = isModernVersion(http.headerOf('mcp-protocol-version')?.trim());
    value = parseJson(body);
    if (Array.isArray(value) && !isModernHeader) return deps.legacy.postBatch(http, body, value);
    const message = readMessage(body, value);
    if (eraOf(message, isModernHeader) === 'legacy') deps.legacy.post(http, message);
    else serveModern(deps, http, message);
  } catch (thrown) {
    const error = asGatewayError(thrown, 'The request could not be read');
    // What cannot be read or contradicts itself is a bad request in every era.
    const answer = errorAnswer(error, readableId(body, value), 'modern');
    write(http.res, error.code === 'INTERNAL' ? 500 : answer.status, answer.body, http.cors);
  }
}

function serveModern(deps: HttpEndpointDeps, http: HttpRequest, message: HostMessage): void {
  const { frame } = message;
  if (frame.kind === 'response' || frame.kind === 'error') {
    throw new GatewayError(
      'REQUEST_INVALID',
      'Invalid request: responses are not posted in this protocol version',
    );
  }
  // Nothing is defined for a notification to carry here, so it is checked, taken, and ends.
  if (frame.kind === 'notification') {
    checkNotification(message, http.headerOf);
    return plain(http.res, 202, http.cors);
  }
  const host = modernHost(message, http.principal, http.headerOf);
  if (frame.method === 'subscriptions/listen' && !http.accepts.stream)
    return refuse(http, 406, 'Accept must list text/event-stream: what was asked for comes as a stream');
  const method = frame.method ?? '';
  const idText = frame.idText ?? 'null';
  const exchange = createHttpExchange({
    res: http.res,
    host,
    method,
    idText,
    requestBytes: frame.bytes.length,
    clock: deps.clock,
    extraHeaders: http.cors,
    openStream: http.accepts.stream ? plainEventStream : undefined,
    needsStream: !http.accepts.json,
    outgoing: outgoingUnasked,
    ask: () => false,
    onEnd: deps.onEnd,
    waiting: deps.waiting,
  });
  const request = {
    host,
    frame,
    method,
    idText,
    params: message.params,
    paramsSpan: message.paramsSpan,
    headerOf: http.headerOf,
    paramHeaders: () => paramHeadersIn(http.req.rawHeaders),
  };
  deps.methods.serve(request, exchange, undefined);
}

/** The profile of a path: `/mcp` and `/mcp/` are the default one. */
function profileOf(url: string): string | undefined {
  if (url === ENDPOINT_PATH) return DEFAULT_PROFILE;
  const path = url.split('?', 1)[0] ?? '';
  if (path !== ENDPOINT_PATH && !path.startsWith(`${ENDPOINT_PATH}/`)) return undefined;
  const rest = path.slice(ENDPOINT_PATH.length).replace(/^\/|\/$/g, '');
  return rest === '' ? DEFAULT_PROFILE : rest;
}
