import type { ServerResponse } from 'node:http';
import type { Clock } from '../domain/index.ts';
import { createBufferedExchange, type BufferedExchange } from './buffered-exchange.ts';
import { type EventStream, SSE_HEADERS } from './event-stream.ts';
import type { LegacySession } from './legacy-session.ts';
import type { HostMessage } from './message.ts';
import type { OutcomeListener } from './outcome.ts';

export interface BatchDeps {
  readonly res: ServerResponse;
  readonly session: LegacySession;
  /** Requests in the batch; the answer is complete when each has its response. */
  readonly count: number;
  readonly extraHeaders: readonly string[];
  readonly takesStream: boolean;
  readonly clock: Clock;
  readonly onEnd: OutcomeListener;
}

export interface Batch {
  exchange(message: HostMessage, idText: string): BufferedExchange;
}

/**
 * Answers the requests of one batch together: as an array, or, once one of them has something to say before its
 * response, as a stream of single messages.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export function createBatch(deps: BatchDeps): Batch {
  const responses: Buffer[] = [];
  let outstanding = deps.count;
  let stream: EventStream | undefined;

  const open = (): EventStream | undefined => {
    if (stream !== undefined || !deps.takesStream || deps.res.headersSent) return stream;
    deps.res.writeHead(200, [...SSE_HEADERS, ...deps.extraHeaders]);
    stream = deps.session.openStream(deps.res);
    for (const response of responses) stream.send(response);
    return stream;
  };

  /** `response` is undefined for a request that its host cancelled: it has none, but the batch must end. */
  const settle = (response: Buffer | undefined): void => {
    outstanding--;
    if (response !== undefined) {
      responses.push(response);
      stream?.send(response);
    }
    if (outstanding > 0) return;
    if (stream !== undefined) stream.end();
    else writeArray(deps, responses);
  };

  return {
    exchange: (message, idText) => {
      const exchange = createBufferedExchange({
        host: deps.session.host(),
        method: message.frame.method ?? '',
        idText,
        requestBytes: message.frame.bytes.length,
        clock: deps.clock,
        message: (frame) => open()?.send(frame),
        respond: settle,
        ask: (question, onAnswer) =>
          deps.session.ask(question, onAnswer, (asked) => {
            open()?.send(asked);
            return stream !== undefined;
          }),
        onEnd: (outcome) => {
          deps.session.inFlight.delete(idText);
          deps.onEnd(outcome);
          if (outcome.status === 'cancelled') settle(undefined);
        },
      });
      deps.session.inFlight.set(idText, exchange);
      return exchange;
    },
  };
}

function writeArray(deps: BatchDeps, responses: readonly Buffer[]): void {
  if (deps.res.headersSent || deps.res.destroyed) return;
  const body = `[${responses.map((response) => response.toString('utf8')).join(',')}]`;
  const length = String(Buffer.byteLength(body));
  deps.res.writeHead(200, [
    'content-type',
    'application/json',
    'content-length',
    length,
    ...deps.extraHeaders,
  ]);
  deps.res.end(body);
}
