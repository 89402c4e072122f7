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
  /** The host reads nothing but event streams. */
  readonly needsStream: boolean;
  /** What a server says in the course of the request, as the host must see it; undefined for what is not for it. */
  readonly outgoing: (frame: Buffer) => Buffer | undefined;
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
  /** Sends a question on the request's own stream; false when there is no such way to the host. */
  question(frame: Buffer): boolean;
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
  let cancelledFor: string | undefined;

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
    // A host that has left cannot know of a stream that begins now.
    if (res.destroyed) return undefined;
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
    if (deps.needsStream && status === 200) open();
    if (stream !== undefined) {
      stream.send(frame);
      stream.end();
    } else {
      writeJson(res, status, frame, deps.extraHeaders);
    }
    end(outcome, error);
  };

  /** Ends the request without a response, and tells whoever works on it, now or as soon as somebody does. */
  const giveUp = (reason: string): void => {
    const listener = onCancel;
    cancelledFor = reason;
    end('cancelled');
    listener?.(reason);
  };

  res.on('close', () => {
    if (state === 'ended') return;
    // The host of a stateless request cancels it by leaving; that of a session may come back for the answer.
    // https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation
    if (host.era === 'modern') giveUp('The host closed the connection');
    // Nobody reads the rest, so it must not wait for a reader.
    else onDrain?.();
  });
  res.on('drain', () => onDrain?.());
  res.on('error', () => undefined);

  return {
    notes,
    message: (frame) => {
      const own = state === 'ended' ? undefined : deps.outgoing(frame);
      if (own === undefined) return;
      responseBytes += own.length;
      open()?.notify(own);
    },
    question: (frame) => {
      const way = state === 'ended' ? undefined : open();
      responseBytes += frame.length;
      way?.send(frame);
      return way !== undefined;
    },
    ask: (question: Frame, onAnswer) => state !== 'ended' && deps.ask(question, onAnswer),
    respond: (frame, status) =>
      finish(frame, host.era === 'legacy' ? 200 : status, isErrorFrame(frame) ? 'error' : 'ok'),
    respondStart: (lengthBytes) => {
      if (state === 'ended') return;
      if (deps.needsStream) open();
      if (stream !== undefined) {
        held = [];
        return;
      }
      state = 'raw';
      if (res.destroyed) return;
      const length = lengthBytes === undefined ? [] : ['content-length', String(lengthBytes)];
      res.writeHead(200, ['content-type', 'application/json', ...length, ...deps.extraHeaders]);
    },
    respondChunk: (chunk) => {
      if (state === 'ended') return true;
      if (held !== undefined) {
        held.push(chunk);
        return true;
      }
      if (res.destroyed) return true;
      responseBytes += chunk.length;
      return res.write(chunk);
    },
    respondEnd: () => {
      if (state === 'ended') return;
      if (held !== undefined) return finish(Buffer.concat(held), 200, 'ok');
      if (!res.destroyed) res.end();
      end('ok');
    },
    fail: (error) => {
      if (state === 'ended') return;
      if (state === 'raw') {
        // Half a body is out: the only honest end is a broken connection.
        end(error.code, error);
        res.destroy();
        return;
      }
      const answer = errorAnswer(error, deps.idText, host.era);
      finish(Buffer.from(answer.body), answer.status, error.code, error);
    },
    onCancel: (listener) => {
      if (cancelledFor === undefined) onCancel = listener;
      else listener(cancelledFor);
    },
    onDrain: (listener) => {
      onDrain = listener;
    },
    cancel: (reason) => {
      if (state === 'ended') return;
      if (stream !== undefined) stream.end();
      else if (state === 'raw') res.destroy();
      else writeCancelled(res, deps);
      giveUp(reason);
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
