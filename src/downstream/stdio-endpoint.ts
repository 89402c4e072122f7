import type { Readable, Writable } from 'node:stream';
import { asGatewayError, BATCH_VERSION, type Clock, GatewayError, type Principal } from '../domain/index.ts';
import type { Hub } from '../routing/index.ts';
import { createLineSplitter, elementSpans, resultFrame, rootSpan } from '../wire/index.ts';
import { parseJson } from './body.ts';
import { type BufferedExchange, createBufferedExchange } from './buffered-exchange.ts';
import { errorAnswer } from './error-responses.ts';
import { takeNotification } from './legacy-notifications.ts';
import { createLegacySession, type LegacySession } from './legacy-session.ts';
import { type HostMessage, isRecord, readMessage } from './message.ts';
import { type Methods, negotiateLegacyVersion } from './methods.ts';
import { claimsEnvelope, modernHost } from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';

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
  /** The host closed its end: the gateway is to stop. */
  readonly onClosed: () => void;
}

export interface StdioEndpoint {
  close(): void;
}

/** One host over a pipe. Each message says its own era; a handshake makes the pipe's one session. */
export function createStdioEndpoint(deps: StdioEndpointDeps): StdioEndpoint {
  const modern = new Map<string, BufferedExchange>();
  let session: LegacySession | undefined;
  let leave: (() => void) | undefined;
  let isClosed = false;

  const send = (frame: Buffer | string): boolean => {
    if (isClosed) return false;
    deps.output.write(singleLine(frame));
    deps.output.write('\n');
    return true;
  };

  const exchangeFor = (
    message: HostMessage,
    idText: string,
    inFlight: Map<string, BufferedExchange>,
    host: ReturnType<LegacySession['host']>,
  ): BufferedExchange => {
    const exchange = createBufferedExchange({
      host,
      method: message.frame.method ?? '',
      idText,
      requestBytes: message.frame.bytes.length,
      clock: deps.clock,
      message: send,
      respond: send,
      ask: (question, onAnswer) =>
        session !== undefined && host.era === 'legacy' && session.ask(question, onAnswer, send),
      onEnd: (outcome) => {
        inFlight.delete(idText);
        deps.onEnd(outcome);
      },
    });
    inFlight.set(idText, exchange);
    return exchange;
  };

  const serve = (
    message: HostMessage,
    host: ReturnType<LegacySession['host']>,
    inFlight: Map<string, BufferedExchange>,
  ): void => {
    const idText = message.frame.idText ?? 'null';
    if (inFlight.has(idText))
      throw new GatewayError('REQUEST_INVALID', `A request with id ${idText} is still being served`);
    const exchange = exchangeFor(message, idText, inFlight, host);
    const request = {
      host,
      frame: message.frame,
      method: message.frame.method ?? '',
      idText,
      params: message.params,
      paramsSpan: message.paramsSpan,
      headerOf: undefined,
    };
    deps.methods.serve(request, exchange, host.era === 'legacy' ? session : undefined);
  };

  const initialize = (message: HostMessage): void => {
    const { capabilities, clientInfo, protocolVersion } = message.params;
    leave?.();
    session?.close();
    session = createLegacySession(
      'stdio',
      {
        principal: deps.principal,
        protocolVersion: negotiateLegacyVersion(protocolVersion),
        capabilities: isRecord(capabilities) ? capabilities : {},
        clientInfo: isRecord(clientInfo) ? clientInfo : undefined,
      },
      send,
    );
    leave = deps.hub.add(session.subscriber);
    const exchange = exchangeFor(message, message.frame.idText ?? 'null', modern, session.host());
    deps.methods.initializeResult(session.host()).then(
      (resultText) =>
        exchange.respond(Buffer.from(resultFrame(message.frame.idText ?? 'null', resultText)), 200),
      (thrown: unknown) => exchange.fail(asGatewayError(thrown, 'The handshake failed')),
    );
  };

  const takeLegacy = (message: HostMessage): void => {
    const { frame } = message;
    if (frame.method === 'initialize' && frame.kind === 'request') return initialize(message);
    if (frame.kind === 'notification') {
      if (frame.method === 'notifications/cancelled') cancelModern(modern, message);
      if (session !== undefined) takeNotification(session, message, deps.forward);
      return;
    }
    if (frame.kind !== 'request') {
      session?.answer(frame);
      return;
    }
    if (session !== undefined)
      return serve(message, session.host(), session.inFlight as Map<string, BufferedExchange>);
    if (frame.method === 'ping') return void send(resultFrame(frame.idText ?? 'null', '{}'));
    throw new GatewayError(
      'REQUEST_INVALID',
      'Begin with initialize, or carry the envelope of the stateless revision in params._meta',
    );
  };

  const take = (message: HostMessage): void => {
    if (claimsEnvelope(message) && message.frame.kind === 'request') {
      serve(message, modernHost(message, deps.principal, undefined), modern);
    } else takeLegacy(message);
  };

  const line = (bytes: Buffer): void => {
    let idText: string | undefined;
    try {
      const value = parseJson(bytes);
      if (!Array.isArray(value)) {
        const message = readMessage(bytes, value);
        idText = message.frame.idText;
        take(message);
        return;
      }
      if (session?.host().protocolVersion !== BATCH_VERSION) {
        throw new GatewayError(
          'REQUEST_INVALID',
          `Batches are part of protocol version ${BATCH_VERSION} alone`,
        );
      }
      for (const [index, span] of elementSpans(bytes, rootSpan(bytes)).entries()) {
        take(readMessage(Buffer.from(bytes.subarray(span.start, span.end)), value[index]));
      }
    } catch (thrown) {
      const error = asGatewayError(thrown, 'The message could not be read');
      send(errorAnswer(error, idText, 'modern').body);
    }
  };

  const splitter = createLineSplitter({
    maxLineBytes: deps.maxLineBytes,
    onLine: line,
    onTooLong: (lineBytes) => {
      const what = `A line of ${lineBytes} bytes is over the limit of ${deps.maxLineBytes} (limits.requestBodyBytes)`;
      send(errorAnswer(new GatewayError('REQUEST_INVALID', what), undefined, 'modern').body);
    },
  });

  const closed = (): void => {
    if (isClosed) return;
    isClosed = true;
    deps.onClosed();
  };
  deps.input.on('data', (chunk: Buffer) => splitter.push(chunk));
  deps.input.on('end', closed);
  deps.input.on('error', closed);
  // A host that is gone shows as a broken pipe; it is a reason to stop, not a fault.
  deps.output.on('error', closed);

  return {
    close: () => {
      leave?.();
      for (const exchange of [...modern.values()]) exchange.cancel('The gateway is stopping');
      session?.close();
      deps.input.pause();
    },
  };
}

function cancelModern(modern: ReadonlyMap<string, BufferedExchange>, message: HostMessage): void {
  const { requestId, reason } = message.params;
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
  modern
    .get(JSON.stringify(requestId))
    ?.cancel(typeof reason === 'string' ? reason : 'The host cancelled it');
}

const NEWLINES = /[\r\n]/;

/** A frame on one line. Line ends in JSON stand between tokens only, so they can go. */
function singleLine(frame: Buffer | string): Buffer | string {
  const hasNewline =
    typeof frame === 'string' ? NEWLINES.test(frame) : frame.includes(0x0a) || frame.includes(0x0d);
  return hasNewline ? frame.toString().replace(/[\r\n]+/g, ' ') : frame;
}
