import type { ServerResponse } from 'node:http';
import { type Clock, GatewayError, type Seat } from '../domain/index.ts';
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
  add(exchange: Waiting): Seat<Waiting>;
  leave(seat: Seat<Waiting>): void;
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

/** A host that is gone is told of by `close`. */
const ignore = (): void => undefined;

type State = 'waiting' | 'streaming' | 'raw' | 'ended';

/** Owns one response: a single JSON body when the answer comes first, an event stream when anything comes before it. */
export function createHttpExchange(deps: HttpExchangeDeps): HttpExchange {
  return new ResponseOwner(deps);
}

class ResponseOwner implements HttpExchange, Waiting {
  readonly notes: RequestNotes = {};
  readonly since: number;
  readonly #seat: Seat<Waiting>;
  readonly #deps: HttpExchangeDeps;
  #state: State = 'waiting';
  #stream: EventStream | undefined;
  #responseBytes = 0;
  /** A large response that has to become one event. */
  #held: Buffer[] | undefined;
  #onCancel: ((reason: string) => void) | undefined;
  #onDrain: (() => void) | undefined;
  #cancelledFor: string | undefined;

  constructor(deps: HttpExchangeDeps) {
    this.#deps = deps;
    this.since = deps.clock.now();
    this.#seat = deps.waiting.add(this);
    deps.res.on('close', () => this.#closed());
    deps.res.on('error', ignore);
  }

  keepAlive(): void {
    this.#open()?.keepAlive();
  }

  openEarly(): void {
    this.#open();
  }

  message(frame: Buffer): void {
    const own = this.#state === 'ended' ? undefined : this.#deps.outgoing(frame);
    if (own === undefined) return;
    this.#responseBytes += own.length;
    this.#open()?.notify(own);
  }

  question(frame: Buffer): boolean {
    const way = this.#state === 'ended' ? undefined : this.#open();
    this.#responseBytes += frame.length;
    way?.send(frame);
    return way !== undefined;
  }

  ask(question: Frame, onAnswer: (answer: Frame) => void): boolean {
    return this.#state !== 'ended' && this.#deps.ask(question, onAnswer);
  }

  respond(frame: Buffer, status: number): void {
    const isLegacy = this.#deps.host.era === 'legacy';
    this.#finish(frame, isLegacy ? 200 : status, isErrorFrame(frame) ? 'error' : 'ok');
  }

  respondStart(lengthBytes: number | undefined): void {
    if (this.#state === 'ended') return;
    if (this.#deps.needsStream) this.#open();
    if (this.#stream !== undefined) {
      this.#held = [];
      return;
    }
    this.#state = 'raw';
    this.#deps.res.on('drain', () => this.#onDrain?.());
    const { res, extraHeaders } = this.#deps;
    if (res.destroyed) return;
    const length = lengthBytes === undefined ? [] : ['content-length', String(lengthBytes)];
    res.writeHead(200, ['content-type', 'application/json', ...length, ...extraHeaders]);
  }

  respondChunk(chunk: Buffer): boolean {
    const { res } = this.#deps;
    if (this.#held !== undefined) this.#held.push(chunk);
    // Nobody reads the rest of what a host has left, so it must not wait for a reader.
    if (this.#state === 'ended' || this.#held !== undefined || res.destroyed) return true;
    this.#responseBytes += chunk.length;
    return res.write(chunk);
  }

  respondEnd(): void {
    if (this.#state === 'ended') return;
    if (this.#held !== undefined) return this.#finish(Buffer.concat(this.#held), 200, 'ok');
    const { res } = this.#deps;
    if (!res.destroyed) res.end();
    this.#end('ok');
  }

  fail(error: GatewayError): void {
    if (this.#state === 'ended') return;
    const { res, idText, host } = this.#deps;
    if (this.#state === 'raw') {
      // Half a body is out: the only honest end is a broken connection.
      this.#end(error.code, error);
      res.destroy();
      return;
    }
    const answer = errorAnswer(error, idText, host.era);
    this.#finish(Buffer.from(answer.body), answer.status, error.code, error);
  }

  onCancel(listener: (reason: string) => void): void {
    if (this.#cancelledFor === undefined) this.#onCancel = listener;
    else listener(this.#cancelledFor);
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  cancel(reason: string): void {
    if (this.#state === 'ended') return;
    if (this.#stream !== undefined) this.#stream.end();
    else if (this.#state === 'raw') this.#deps.res.destroy();
    else writeCancelled(this.#deps);
    this.#giveUp(reason);
  }

  rest(): void {
    this.#stream?.rest();
  }

  #open(): EventStream | undefined {
    const { res, openStream, extraHeaders } = this.#deps;
    if (this.#stream !== undefined || openStream === undefined || this.#state !== 'waiting')
      return this.#stream;
    // A host that has left cannot know of a stream that begins now.
    if (res.destroyed) return undefined;
    res.writeHead(200, [...SSE_HEADERS, ...extraHeaders]);
    this.#stream = openStream(res);
    this.#state = 'streaming';
    return this.#stream;
  }

  #closed(): void {
    if (this.#state === 'ended') return;
    // The host of a stateless request cancels it by leaving; that of a session may come back for the answer.
    // https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#cancellation
    if (this.#deps.host.era === 'modern') this.#giveUp('The host closed the connection');
    else this.#onDrain?.();
  }

  /** Ends the request without a response, and tells whoever works on it, now or as soon as somebody does. */
  #giveUp(reason: string): void {
    const listener = this.#onCancel;
    this.#cancelledFor = reason;
    this.#end('cancelled');
    listener?.(reason);
  }

  #finish(frame: Buffer, status: number, outcome: string, error?: GatewayError): void {
    if (this.#state === 'ended') return;
    this.#responseBytes += frame.length;
    if (this.#deps.needsStream && status === 200) this.#open();
    if (this.#stream !== undefined) {
      this.#stream.send(frame);
      this.#stream.end();
    } else {
      writeJson(this.#deps, status, frame);
    }
    this.#end(outcome, error);
  }

  #end(status: string, error?: GatewayError): void {
    this.#state = 'ended';
    this.#onCancel = undefined;
    this.#held = undefined;
    const { host, method, requestBytes, clock } = this.#deps;
    this.#deps.waiting.leave(this.#seat);
    this.#deps.onEnd({
      host,
      method,
      notes: this.notes,
      status,
      durationMs: clock.now() - this.since,
      requestBytes,
      responseBytes: this.#responseBytes,
      error,
    });
  }
}

function writeJson(deps: HttpExchangeDeps, status: number, body: Buffer): void {
  const { res, extraHeaders } = deps;
  if (res.headersSent || res.destroyed) return;
  const length = String(body.length);
  res.writeHead(status, ['content-type', 'application/json', 'content-length', length, ...extraHeaders]);
  // Latin-1 carries every byte as it is, and a string goes out together with the head.
  if (body.length <= ONE_WRITE_BYTES) res.end(body.toString('latin1'), 'latin1');
  else res.end(body);
}

/** A cancelled request gets no response in its protocol, but an HTTP request must end. */
function writeCancelled(deps: HttpExchangeDeps): void {
  const error = new GatewayError('CALL_CANCELLED', 'The request was cancelled');
  const answer = errorAnswer(error, deps.idText, deps.host.era);
  writeJson(deps, 200, Buffer.from(answer.body));
}
