import { type Clock, GatewayError } from '../domain/index.ts';
import { elementSpans, errorFrame, rootSpan } from '../wire/index.ts';
import { createBufferedExchange } from './buffered-exchange.ts';
import { errorAnswer } from './error-responses.ts';
import type { LegacySession } from './legacy-session.ts';
import { type HostMessage, readMessage } from './message.ts';
import type { Methods } from './methods.ts';
import { claimsEnvelope } from './modern-envelope.ts';
import type { OutcomeListener } from './outcome.ts';
import { legacyRequest } from './legacy-request.ts';
import { readableId } from './request-ids.ts';

/** How one batch is answered. */
export interface BatchWay {
  /** A message ahead of its request's response. */
  notify(frame: Buffer): void;
  /** A question to the host; false when there is no way to it before the answer. */
  question(frame: Buffer): boolean;
  respond(frame: Buffer): void;
  /** Nothing follows. */
  done(): void;
}

export interface BatchDeps {
  readonly session: LegacySession;
  readonly methods: Methods;
  readonly clock: Clock;
  readonly onEnd: OutcomeListener;
  /** Takes whatever is no request. */
  readonly take: (message: HostMessage) => void;
}

/**
 * Serves the messages of one array. Each request gets a response of its own, and so does an element that cannot
 * be read: its neighbours are served all the same.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export function serveBatch(deps: BatchDeps, way: BatchWay, body: Buffer, values: readonly unknown[]): void {
  const spans = elementSpans(body, rootSpan(body));
  // Held back until every element was begun: an answer that is there at once must not end the batch early.
  let outstanding = 1;
  const settle = (response: Buffer | undefined): void => {
    if (response !== undefined) way.respond(response);
    outstanding--;
    if (outstanding === 0) way.done();
  };
  for (const [index, span] of spans.entries()) {
    const bytes = Buffer.from(body.subarray(span.start, span.end));
    outstanding++;
    const message = readElement(bytes, values[index]);
    if (Buffer.isBuffer(message)) settle(message);
    else if (message.frame.kind === 'request') serveOne(deps, way, message, settle);
    else {
      deps.take(message);
      settle(undefined);
    }
  }
  settle(undefined);
}

/** The message of one element, or the error that answers it. */
function readElement(bytes: Buffer, value: unknown): HostMessage | Buffer {
  try {
    const message = readMessage(bytes, value);
    if (claimsEnvelope(message)) {
      throw new GatewayError('REQUEST_INVALID', 'Messages of the stateless revision are not part of a batch');
    }
    return message;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return Buffer.from(errorAnswer(error, readableId(bytes, value), 'legacy').body);
  }
}

function serveOne(
  deps: BatchDeps,
  way: BatchWay,
  message: HostMessage,
  settle: (response: Buffer | undefined) => void,
): void {
  const { session } = deps;
  const { frame } = message;
  const idText = frame.idText ?? 'null';
  const exchange = createBufferedExchange({
    host: session.host(),
    method: frame.method ?? '',
    idText,
    requestBytes: frame.bytes.length,
    clock: deps.clock,
    message: (bytes) => {
      const own = session.outgoing(idText, bytes);
      if (own !== undefined) way.notify(own);
    },
    respond: settle,
    ask: (question, onAnswer) => session.ask(idText, question, onAnswer, (asked) => way.question(asked)),
    onEnd: (outcome) => {
      session.finish(idText);
      deps.onEnd(outcome);
      // A cancelled request has no response, but the batch must end.
      if (outcome.status === 'cancelled') settle(undefined);
    },
  });
  if (frame.method === 'initialize') {
    return settle(refusal(idText, 'initialize is never part of a batch'));
  }
  if (!session.begin(idText, exchange)) {
    return settle(refusal(idText, `A request with id ${idText} is still being served`));
  }
  deps.methods.serve(legacyRequest(session, message), exchange, session);
}

const refusal = (idText: string, what: string): Buffer => Buffer.from(errorFrame(idText, -32600, what));
