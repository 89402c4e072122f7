import type { Readable, Writable } from 'node:stream';
import { asGatewayError, BATCH_VERSION, type Clock, GatewayError, type Principal } from '../domain/index.ts';
import type { Host, Hub } from '../routing/index.ts';
import { resultFrame } from '../wire/index.ts';
import { serveBatch } from './batch.ts';
import { parseJson } from './body.ts';
import { createBufferedExchange, type BufferedExchange } from './buffered-exchange.ts';
import { errorAnswer } from './error-responses.ts';
import { createHostPipe } from './host-pipe.ts';
import { cancellationIn, takeNotification } from './legacy-notifications.ts';
import { legacyRequest } from './legacy-request.ts';
import { createLegacySession, type LegacySession } from './legacy-session.ts';
import { type HostMessage, isRecord, readMessage } from './message.ts';
import { type Methods, negotiateLegacyVersion } from './methods.ts';
import { eraOf, modernHost } from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';
import { outgoingUnasked } from './questions.ts';
import { idKey, readableId } from './request-ids.ts';

export interface StdioEndpointDeps {
  readonly input: Readable;
  readonly output: Writable;
  readonly principal: Principal;
  readonly methods: Methods;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly maxLineBytes: number;
  readonly onEnd: OutcomeListener;
  readonly forward: (session: LegacySession, message: HostMessage) => void;
  /** Lets go of what upstreams hold for a session that a new handshake replaces. */
  readonly onSessionEnd: (sessionId: string) => void;
  /** The host closed its end: the gateway is to stop. */
  readonly onClosed: () => void;
}

export interface StdioEndpoint {
  /** True while a request waits for its response. */
  isBusy(): boolean;
  close(): void;
}

/** One host over a pipe. Each message says its own era; a handshake makes the pipe's one session. */
export function createStdioEndpoint(deps: StdioEndpointDeps): StdioEndpoint {
  const { clock, methods, onEnd } = deps;
  /** Stateless requests and handshakes in flight, by id; those of the session stand in it. */
  const modern = new Map<string, BufferedExchange>();
  let session: LegacySession | undefined;
  let leave: (() => void) | undefined;
  let handshakes = 0;

  const serveModern = (message: HostMessage): void => {
    const host = modernHost(message, deps.principal, undefined);
    const { idText = 'null', method = '' } = message.frame;
    refuseDuplicate(modern.has(idKey(idText)), idText);
    const exchange = open(message, idText, host);
    methods.serve({ ...plainRequest(message, idText), host, method }, exchange, undefined);
  };

  /** An exchange that stands in no session. */
  const open = (message: HostMessage, idText: string, host: Host): BufferedExchange => {
    const exchange = createBufferedExchange({
      host,
      method: message.frame.method ?? '',
      idText,
      requestBytes: message.frame.bytes.length,
      clock,
      message: (frame) => {
        const own = outgoingUnasked(frame);
        if (own !== undefined) pipe.notify(own);
      },
      respond: pipe.send,
      ask: () => false,
      onEnd: (outcome) => {
        modern.delete(idKey(idText));
        onEnd(outcome);
      },
    });
    modern.set(idKey(idText), exchange);
    return exchange;
  };

  const serveInSession = (own: LegacySession, message: HostMessage): void => {
    const { idText = 'null', method = '', bytes } = message.frame;
    refuseDuplicate(own.isInFlight(idText), idText);
    const exchange = createBufferedExchange({
      host: own.host(),
      method,
      idText,
      requestBytes: bytes.length,
      clock,
      message: (frame) => {
        const outgoing = own.outgoing(idText, frame);
        if (outgoing !== undefined) pipe.notify(outgoing);
      },
      respond: pipe.send,
      ask: (question, onAnswer) => own.ask(idText, question, onAnswer, pipe.send),
      onEnd: (outcome) => {
        own.finish(idText);
        onEnd(outcome);
      },
    });
    own.begin(idText, exchange);
    methods.serve(legacyRequest(own, message), exchange, own);
  };

  const endSession = (): void => {
    if (session === undefined) return;
    leave?.();
    session.close();
    deps.onSessionEnd(session.id);
    session = undefined;
  };

  const initialize = (message: HostMessage): void => {
    const { idText = 'null' } = message.frame;
    refuseDuplicate(modern.has(idKey(idText)), idText);
    const { capabilities, clientInfo, protocolVersion } = message.params;
    endSession();
    const handshake = {
      principal: deps.principal,
      protocolVersion: negotiateLegacyVersion(protocolVersion),
      capabilities: isRecord(capabilities) ? capabilities : {},
      clientInfo: isRecord(clientInfo) ? clientInfo : undefined,
    };
    // A name of its own for each handshake: what servers hold for the one before must not serve this one.
    session = createLegacySession(`stdio-${++handshakes}`, handshake, pipe.send);
    leave = deps.hub.add(session.subscriber);
    const exchange = open(message, idText, session.host());
    methods.initializeResult(session.host()).then(
      (resultText) => exchange.respond(Buffer.from(resultFrame(idText, resultText)), 200),
      (thrown: unknown) => exchange.fail(asGatewayError(thrown, 'The handshake failed')),
    );
  };

  const takeOther = (message: HostMessage): void => {
    if (message.frame.kind !== 'notification') {
      session?.answer(message.frame);
      return;
    }
    const cancelled = cancellationIn(message);
    const stateless = cancelled === undefined ? undefined : modern.get(idKey(cancelled.idText));
    if (stateless !== undefined && cancelled !== undefined) stateless.cancel(cancelled.reason);
    else if (session !== undefined) takeNotification(session, message, deps.forward);
  };

  const take = (message: HostMessage): void => {
    const { kind, method, idText = 'null' } = message.frame;
    if (kind !== 'request') return takeOther(message);
    if (eraOf(message, false) === 'modern') return serveModern(message);
    if (method === 'initialize') return initialize(message);
    if (session !== undefined) return serveInSession(session, message);
    if (method === 'ping') return void pipe.send(resultFrame(idText, '{}'));
    throw new GatewayError(
      'REQUEST_INVALID',
      'Begin with initialize, or carry the envelope of the stateless revision in params._meta',
    );
  };

  const takeBatch = (bytes: Buffer, values: readonly unknown[]): void => {
    if (session?.host().protocolVersion !== BATCH_VERSION || values.length === 0) {
      const what = `Batches are part of protocol version ${BATCH_VERSION} alone, and are never empty`;
      throw new GatewayError('REQUEST_INVALID', what);
    }
    const responses: Buffer[] = [];
    const way = {
      notify: pipe.notify,
      question: pipe.send,
      respond: (frame: Buffer) => void responses.push(frame),
      done: () => {
        const texts = responses.map((response) => response.toString('utf8'));
        if (texts.length > 0) pipe.send(`[${texts.join(',')}]`);
      },
    };
    serveBatch({ session, methods, clock, onEnd, take: takeOther }, way, bytes, values);
  };

  const line = (bytes: Buffer): void => {
    let idText: string | undefined;
    try {
      const value = parseJson(bytes);
      if (Array.isArray(value)) return takeBatch(bytes, value);
      idText = readableId(bytes, value);
      take(readMessage(bytes, value));
    } catch (thrown) {
      const error = asGatewayError(thrown, 'The message could not be read');
      pipe.send(errorAnswer(error, idText, 'modern').body);
    }
  };

  const pipe = createHostPipe({
    input: deps.input,
    output: deps.output,
    maxLineBytes: deps.maxLineBytes,
    onLine: line,
    onTooLong: (lineBytes) => {
      const what = `A line of ${lineBytes} bytes is over the limit of ${deps.maxLineBytes} (limits.requestBodyBytes)`;
      pipe.send(errorAnswer(new GatewayError('REQUEST_INVALID', what), undefined, 'modern').body);
    },
    onClosed: deps.onClosed,
  });

  return {
    isBusy: () => modern.size > 0 || session?.isBusy() === true,
    close: () => {
      for (const exchange of [...modern.values()]) exchange.cancel('The gateway is stopping');
      endSession();
      pipe.close();
    },
  };
}

function refuseDuplicate(isInFlight: boolean, idText: string): void {
  if (isInFlight)
    throw new GatewayError('REQUEST_INVALID', `A request with id ${idText} is still being served`);
}

const plainRequest = (message: HostMessage, idText: string) => ({
  frame: message.frame,
  idText,
  params: message.params,
  paramsSpan: message.paramsSpan,
  headerOf: undefined,
});
