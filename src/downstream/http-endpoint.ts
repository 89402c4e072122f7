import type { IncomingMessage, ServerResponse } from 'node:http';
import { ENDPOINT_PATH } from '../config/index.ts';
import {
  ANONYMOUS,
  asGatewayError,
  type Clock,
  DEFAULT_PROFILE,
  type Era,
  GatewayError,
} from '../domain/index.ts';
import { parseJson, readBody } from './body.ts';
import { errorAnswer } from './error-responses.ts';
import { plainEventStream } from './event-stream.ts';
import { type HttpRequest, plain, reject, write } from './http-answers.ts';
import { createHttpExchange, type WaitingSet } from './http-exchange.ts';
import { type LegacyHttp, SESSION_HEADER } from './legacy-http.ts';
import { type HostMessage, readMessage } from './message.ts';
import type { Methods } from './methods.ts';
import {
  checkStandardHeaders,
  claimsEnvelope,
  type HeaderOf,
  isModernVersion,
  missingEnvelope,
  modernHost,
} from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';
import { corsHeaders, type Perimeter, preflightHeaders } from './perimeter.ts';

export interface HttpEndpointDeps {
  readonly perimeter: Perimeter;
  readonly methods: Methods;
  readonly legacy: LegacyHttp;
  readonly hasProfile: (name: string) => boolean;
  readonly maxBodyBytes: number;
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
    const headerOf: HeaderOf = (name) => {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const accept = req.headers.accept ?? '*/*';
    const http: HttpRequest = {
      req,
      res,
      principal: { id: ANONYMOUS, profile },
      headerOf,
      cors,
      takesStream: accept.includes('text/event-stream') || accept.includes('*/*'),
      prefersStream: isFirst(accept, 'text/event-stream', 'application/json'),
    };
    route(deps, http, accept);
    return true;
  };
}

function route(deps: HttpEndpointDeps, http: HttpRequest, accept: string): void {
  const { req, res, cors } = http;
  switch (req.method) {
    case 'POST':
      return post(deps, http, accept);
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
        preflightHeaders(req.headers.origin, http.headerOf('access-control-request-headers')),
      );
    default:
      return plain(res, 405, ['allow', 'GET, POST, DELETE, OPTIONS', ...cors]);
  }
}

function post(deps: HttpEndpointDeps, http: HttpRequest, accept: string): void {
  const { req, res, cors } = http;
  if (!isJsonType(req.headers['content-type'])) {
    return reject(
      res,
      415,
      new GatewayError('REQUEST_INVALID', 'Content-Type must be application/json'),
      cors,
    );
  }
  if (!http.takesStream && !accept.includes('application/json') && !accept.includes('application/*')) {
    const what = 'Accept must list application/json and text/event-stream';
    return reject(res, 406, new GatewayError('REQUEST_INVALID', what), cors);
  }
  readBody(req, deps.maxBodyBytes, {
    done: (body) => serveBody(deps, http, body),
    tooLarge: () => {
      const what = `The request body is larger than ${deps.maxBodyBytes} bytes (limits.requestBodyBytes)`;
      reject(res, 413, new GatewayError('REQUEST_INVALID', what), ['connection', 'close', ...cors]);
    },
  });
}

function serveBody(deps: HttpEndpointDeps, http: HttpRequest, body: Buffer): void {
  const isModernHeader = isModernVersion(http.headerOf('mcp-protocol-version'));
  let idText: string | undefined;
  let era: Era = isModernHeader ? 'modern' : 'legacy';
  try {
    const value = parseJson(body);
    if (Array.isArray(value) && !isModernHeader) return deps.legacy.postBatch(http, body, value);
    const message = readMessage(body, value);
    idText = message.frame.idText;
    if (!claimsEnvelope(message) && !(isModernHeader && message.frame.method !== 'initialize')) {
      return deps.legacy.post(http, message);
    }
    era = 'modern';
    serveModern(deps, http, message);
  } catch (thrown) {
    const error = asGatewayError(thrown, 'The request could not be read');
    const { body: text, status } = errorAnswer(error, idText, era);
    write(http.res, error.code === 'INTERNAL' ? 500 : status, text, http.cors);
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
  // Nothing is defined for a notification to carry here, so it is taken and ends.
  if (frame.kind === 'notification') return plain(http.res, 202, http.cors);
  if (!claimsEnvelope(message)) throw missingEnvelope();
  const host = modernHost(message, http.principal, http.headerOf);
  checkStandardHeaders(message, http.headerOf);
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
    openStream: http.takesStream ? plainEventStream : undefined,
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

const isFirst = (text: string, one: string, other: string): boolean =>
  text.includes(one) && text.indexOf(one) < text.indexOf(other);

const isJsonType = (contentType: string | undefined): boolean =>
  contentType !== undefined && /^application\/json\s*(?:;|$)/i.test(contentType.trim());
