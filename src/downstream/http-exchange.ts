import type { ServerResponse } from 'node:http';
import { type Clock, GatewayError } from '../domain/index.ts';
import type { Exchange, Host, RequestNotes } from '../routing/index.ts';
import type { Frame } from '../wire/index.ts';
import { errorAnswer } from './error-responses.ts';
import { type EventStream, SSE_HEADERS } from './event-stream.ts';
import { isErrorFrame, type OutcomeListener } from './outcome.ts';

/** Up to here head and body go out in one write; larger bodies are written behind the head. */
const ONE_WRITE_BYTES = 64 * 1024;

export interface HttpExchangeDeps {
  readonly res: ServerResponse;
  readonly host: Host;
  readonly method: string;
  readonly idText: string;
  readonly requestBytes: number;
  readonly clock: Clock;
  /** Headers of every answer to this host (session id, CORS), as flat name, value. */
  readonly extraHeaders: readonly string[];
  /** Begins the event stream on `res`, whose head is written; undefined when the host takes no streams. */
  readonly openStream: ((res: ServerResponse) => EventStream) | undefined;
  readonly ask: Exchange['ask'];
  readonly onEnd: OutcomeListener;
  /** Told while the exchange waits, so that silent ones get keep-alives. */
  readonly waiting: WaitingSet;
}

/** Exchanges that have not ended, visited by one coarse timer instead of a timer each. */
export interface WaitingSet {
  add(exchange: Waiting): void;
  delete(exchange: Waiting): void;
}

export interface Waiting {
  /** Milliseconds of the clock when the request came. */
  readonly since: number;
  /** Shows the host that the gateway is alive: opens the stream if need be, then sends a comment. */
  keepAlive(): void;
}

export interface HttpExchange extends Exchange {
  /** The host cancelled by message, as handshake hosts do. */
  cancel(reason: string): void;
  /** Opens the event stream before there is anything to send. */
  openEarly(): void;
}

type State = 'waiting' | 'streaming' | 'raw' | 'ended';

/** Owns one response: a single JSON body when the answer comes first, an event stream when anything comes before it. */
export function createHttpExchange(deps: HttpExchangeDeps): HttpExchange {
  const { res, host } = deps;
  const notes: RequestNotes = {};
  const since = deps.clock.now();
  let state: State = 'waiting';
  let stream: EventStream | undefined;
  let responseBytes = 0;
  let held: Buffer[] | undefined;
  let onCancel: ((reason: string) => void) | undefined;
  let onDrain: (() => void) | undefined;

  const end = (status: string, error?: GatewayError): void => {
    state = 'ended';
    deps.waiting.delete(waiting);
    onCancel = undefined;
    deps.onEnd({
      host,
      method: deps.method,
      notes,
      status,
      durationMs: deps.clock.now() - since,
      requestBytes: deps.requestBytes,
      responseBytes,
      error,
    });
  };

  const open = (): EventStream | undefined => {
    if (stream !== undefined || deps.openStream === undefined || state !== 'waiting') return stream;
    res.writeHead(200, [...SSE_HEADERS, ...deps.extraHeaders]);
    stream = deps.openStream(res);
    state = 'streaming';
    return stream;
  };

  const waiting: Waiting = { since, keepAlive: () => open()?.keepAlive() };
  deps.waiting.add(waiting);

  const finish = (frame: Buffer, status: number, outcome: string, error?: GatewayError): void => {
    if (state === 'ended') return;
    responseBytes += frame.length;
    if (stream !== undefined) {
      stream.send(frame);
      stream.end();
    } else {
      writeJson(res, status, frame, deps.extraHeaders);
    }
    end(outcome, error);
  };

  res.on('close', () => {
    if (state === 'ended' || host.era === 'legacy') return;
    // The host of a stateless request cancels it by leaving.
    // https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation
    const listener = onCancel;
    end('cancelled');
    listener?.('The host closed the connection');
  });
  res.on('drain', () => onDrain?.());
  res.on('error', () => undefined);

  return {
    notes,
    message: (frame) => {
      if (state === 'ended') return;
      responseBytes += frame.length;
      open()?.send(frame);
    },
    ask: (question: Frame, onAnswer) => state !== 'ended' && deps.ask(question, onAnswer),
    respond: (frame, status) =>
      finish(frame, host.era === 'legacy' ? 200 : status, isErrorFrame(frame) ? 'error' : 'ok'),
    respondStart: (lengthBytes) => {
      if (state === 'ended') return;
      if (stream !== undefined) {
        held = [];
        return;
      }
      state = 'raw';
      const length = lengthBytes === undefined ? [] : ['content-length', String(lengthBytes)];
      res.writeHead(200, ['content-type', 'application/json', ...length, ...deps.extraHeaders]);
    },
    respondChunk: (chunk) => {
      if (state === 'ended') return true;
      if (held !== undefined) {
        held.push(chunk);
        return true;
      }
      responseBytes += chunk.length;
      return res.write(chunk);
    },
    respondEnd: () => {
      if (state === 'ended') return;
      if (held !== undefined) finish(Buffer.concat(held), 200, 'ok');
      else {
        res.end();
        end('ok');
      }
    },
    fail: (error) => {
      if (state === 'ended') return;
      if (state === 'raw') {
        // Half a body is out: the only honest end is a broken connection.
        res.destroy();
        end(error.code, error);
        return;
      }
      const answer = errorAnswer(error, deps.idText, host.era);
      finish(Buffer.from(answer.body), answer.status, error.code, error);
    },
    onCancel: (listener) => {
      onCancel = listener;
    },
    onDrain: (listener) => {
      onDrain = listener;
    },
    cancel: (reason) => {
      if (state === 'ended') return;
      const listener = onCancel;
      if (stream !== undefined) stream.end();
      else writeCancelled(res, deps);
      end('cancelled');
      listener?.(reason);
    },
    rest: () => stream?.rest(),
    openEarly: () => void open(),
  };
}

function writeJson(res: ServerResponse, status: number, body: Buffer, extraHeaders: readonly string[]): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, [
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    ...extraHeaders,
  ]);
  // Latin-1 carries every byte as it is, and a string goes out together with the head.
  if (body.length <= ONE_WRITE_BYTES) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** A cancelled request gets no response in its protocol, but an HTTP request must end. */
function writeCancelled(res: ServerResponse, deps: HttpExchangeDeps): void {
  const answer = errorAnswer(
    new GatewayError('CALL_CANCELLED', 'The request was cancelled'),
    deps.idText,
    deps.host.era,
  );
  writeJson(res, 200, Buffer.from(answer.body), deps.extraHeaders);
}
