import type { Transform } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { GatewayError } from '../domain/index.ts';
import {
  createSseDecoder,
  type Frame,
  JsonScanError,
  type SseDecoder,
  type SseEvent,
} from '../wire/index.ts';
import type { ChannelCall } from './channel.ts';
import type { CallHandle, CallSink } from './connection.ts';
import { errorCodeOf, METHOD_NOT_FOUND } from './failures.ts';
import { framesOf, framesOrJunk } from './frames-of.ts';
import { contentDecoder, headerText } from './http-encoding.ts';
import type { HttpPeer } from './http-peer.ts';
import { isRedirect } from './http-redirect.ts';
import { broken, rejected } from './http-rejection.ts';
import { PendingCall } from './pending-call.ts';

/** Answers up to this size go on in one piece; larger ones stream. */
const WHOLE_BYTES = 64 * 1024;
/** Nobody reads more of an error page than this. */
const ERROR_BODY_BYTES = 64 * 1024;
/** A server that keeps a stream open after its response has this long to end it. */
const LINGER_MS = 5_000;

type Reading = 'whole' | 'streaming' | 'events';

/** One POST and its answer: the request's handler, its deadlines and its sink in one object. */
export class HttpCall extends PendingCall implements Dispatcher.DispatchHandler {
  readonly #peer: HttpPeer;
  #url: URL;
  #hops = 0;
  #body: Buffer | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #decoder: Transform | undefined;
  #events: SseDecoder | undefined;
  #reading: Reading = 'whole';
  #status = 0;
  #contentType = '';
  #lengthBytes: number | undefined;
  #retryAfter: string | undefined;
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #isPaused = false;
  #lastEventId: string | undefined;
  #retryMs: number | undefined;
  #successor: CallHandle | undefined;
  #endResumption: (() => void) | undefined;
  #isDispatching = false;

  constructor(peer: HttpPeer, call: ChannelCall, sink: CallSink, wireId: string | undefined) {
    super(peer.table, call, sink, wireId);
    this.#peer = peer;
    this.#url = peer.origin.url;
  }

  send(): void {
    if (this.isEnded) return;
    this.#body = this.requestBytes();
    this.#dispatch();
  }

  #dispatch(): void {
    const { origin } = this.#peer;
    this.#isDispatching = true;
    origin.dispatch('POST', this.#url, this.#peer.postHeaders(this.call), this.#body ?? null, this);
    this.#isDispatching = false;
  }

  override dueAtMs(): number {
    // A slow reader is no silence of the server.
    if (this.#isPaused) this.touch();
    return super.dueAtMs();
  }

  resume(): void {
    if (this.#successor !== undefined) return this.#successor.resume();
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#decoder === undefined) this.#controller?.resume();
    else this.#decoder.resume();
  }

  override cancel(reason: string): void {
    if (this.#successor === undefined) super.cancel(reason);
    else this.#successor.cancel(reason);
  }

  protected override abandon(reason: string): void {
    // A dropped connection cancels in the modern era alone; older servers must be told.
    this.#peer.tellCancelled(this.call.method, this.wireId, reason);
    this.#abort();
  }

  override failWith(error: GatewayError): void {
    super.failWith(error);
    this.#abort();
  }

  #abort(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    this.#decoder?.destroy();
    this.#endResumption?.();
    controller?.abort(new Error('the call has ended'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isEnded) controller.abort(new Error('the call has ended'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (this.isEnded || status < 200) return;
    this.touch();
    this.#status = status;
    this.#peer.sawHeaders(this.call.method, headers);
    if (isRedirect(status)) return this.#redirect(headerText(headers.location));
    this.#contentType =
      (headerText(headers['content-type']) ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    this.#lengthBytes = Number(headerText(headers['content-length'])) || undefined;
    this.#retryAfter = headerText(headers['retry-after']);
    const encoding = headerText(headers['content-encoding']);
    const decoder = contentDecoder(encoding);
    if (decoder === null) return this.#failEncoding(encoding);
    if (decoder !== undefined) this.#decodeWith(decoder);
    if (status === 200 && this.#contentType === 'text/event-stream') this.#readEvents();
  }

  #failEncoding(encoding: string | undefined): void {
    this.failWith(
      this.table.fail(
        'UPSTREAM_MALFORMED',
        `answered in the encoding "${encoding}", which was not asked for`,
        {
          data: { contentEncoding: encoding },
        },
      ),
    );
  }

  #redirect(location: string | undefined): void {
    const from = this.#url;
    try {
      this.#url = this.#peer.origin.follow(this.#status, location, from, this.#hops++);
    } catch (error) {
      return this.failWith(error as GatewayError);
    }
    // The answer to the first request is dropped with its connection; its end must not count as ours.
    const first = this.#controller;
    this.#controller = undefined;
    this.#status = 0;
    first?.abort(new Error('redirected'));
    this.#dispatch();
  }

  #decodeWith(decoder: Transform): void {
    this.#lengthBytes = undefined;
    this.#decoder = decoder;
    decoder.on('data', (chunk: Buffer) => this.#take(chunk));
    decoder.on('drain', () => {
      if (!this.#isPaused) this.#controller?.resume();
    });
    decoder.once('end', () => this.#finish());
    decoder.once('error', (error) => {
      this.failWith(
        this.table.fail('UPSTREAM_MALFORMED', 'sent a body that cannot be decompressed', { cause: error }),
      );
    });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#controller !== controller && !this.isEnded) return;
    if (this.isEnded) return;
    this.touch();
    if (this.#decoder === undefined) this.#take(chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#controller !== controller) return;
    this.#controller = undefined;
    if (this.#decoder === undefined) this.#finish();
    else this.#decoder.end();
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // The error of a request that was given up, or that a redirect replaced.
    if (this.isEnded || (this.#controller !== controller && this.#controller !== undefined)) return;
    if (error.message === 'redirected') return;
    this.#controller = undefined;
    if (this.#reading === 'events' && this.#canReopen()) return this.#reopen();
    const failure = broken(error, this.#status !== 0, this.table.fail);
    // Never from inside `call`: its caller does not hold the handle yet.
    if (this.#isDispatching) queueMicrotask(() => this.failWith(failure));
    else this.failWith(failure);
    if (failure.code === 'UPSTREAM_UNREACHABLE') this.#peer.lost(failure);
  }

  #take(chunk: Buffer): void {
    if (this.isEnded) return;
    if (this.#reading === 'events') this.#events?.push(chunk);
    else if (this.#reading === 'streaming') this.#pass(chunk);
    else this.#collect(chunk);
  }

  #collect(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#partsBytes += chunk.length;
    if (this.#status !== 200) {
      if (this.#partsBytes > ERROR_BODY_BYTES) this.#finish();
      return;
    }
    if (this.#partsBytes > WHOLE_BYTES && this.#mayStream()) return this.#startStreaming();
    if (this.#partsBytes > this.#peer.messageBytes) this.#failSize();
  }

  #failSize(): void {
    const limitBytes = this.#peer.messageBytes;
    this.failWith(
      this.table.fail('UPSTREAM_TOO_LARGE', `sent a message above the limit of ${limitBytes} bytes`, {
        data: { limitBytes },
      }),
    );
  }

  #mayStream(): boolean {
    const isPlain = !this.isRemapped && !this.call.wantsWhole && this.#contentType === 'application/json';
    return isPlain && this.#parts[0]?.toString('latin1', 0, 64).trimStart().startsWith('{') === true;
  }

  #startStreaming(): void {
    this.#reading = 'streaming';
    const parts = this.#parts;
    this.#parts = [];
    this.sink.responseStart(this.#lengthBytes);
    for (const part of parts) this.#pass(part);
  }

  #pass(chunk: Buffer): void {
    if (this.isEnded || this.sink.responseChunk(chunk) || this.#isPaused) return;
    this.#isPaused = true;
    if (this.#decoder === undefined) this.#controller?.pause();
    else this.#decoder.pause();
  }

  #finish(): void {
    if (this.isEnded) return;
    if (this.#reading === 'streaming') {
      if (this.end()) this.sink.responseEnd();
    } else if (this.#reading === 'events') {
      if (this.#canReopen()) {
        this.sink.rest?.();
        this.#reopen();
      } else this.failWith(this.table.fail('UPSTREAM_CLOSED', 'ended its stream without a response'));
    } else this.#finishWhole();
  }

  #finishWhole(): void {
    const body = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
    this.#parts = [];
    const status = this.#status;
    const response = status === 401 || status === 403 ? undefined : responseIn(body, this.wireId);
    if (status === 404 && this.#peer.hasSession && !isMethodNotFound(response)) return this.#sessionLost();
    const isDoubtful = status === 400 && response?.idText === undefined && this.call.isOwn !== true;
    if (isDoubtful && this.#peer.hasSession) return this.#doubtSession(response, body);
    this.#conclude(response, body);
  }

  /** Many servers refuse a session that they do not know with 400, as they would any malformed request. */
  #doubtSession(response: Frame | undefined, body: Buffer): void {
    void this.#peer.isSessionAlive().then((isAlive) => {
      if (this.isEnded) return;
      if (isAlive) this.#conclude(response, body);
      else this.#sessionLost();
    });
  }

  #conclude(response: Frame | undefined, body: Buffer): void {
    const status = this.#status;
    if (response !== undefined) return this.respond(response, status);
    const contentType = this.#contentType;
    this.failWith(rejected({ status, contentType, retryAfter: this.#retryAfter, body }, this.table.fail));
  }

  /** The server forgot the session, so it cannot have carried the call out: it is sent once more. */
  #sessionLost(): void {
    const error = this.table.fail('UPSTREAM_SESSION_LOST', 'no longer knows the session');
    if (this.call.isOwn === true || this.call.isResent === true) {
      this.failWith(error);
    } else if (this.end()) {
      this.#successor = this.#peer.resend({ ...this.call, isResent: true }, this.sink);
    }
    this.#peer.lost(error);
  }

  #readEvents(): void {
    this.#reading = 'events';
    this.#events = createSseDecoder({
      maxEventBytes: this.#peer.messageBytes,
      onEvent: (event) => this.takeEvent(event),
      onRetry: (retryMs) => {
        this.#retryMs = retryMs;
      },
      onTooLarge: () => this.#failSize(),
    });
  }

  /** Also called with what a resumed stream brings. */
  takeEvent(event: SseEvent): void {
    if (this.isEnded) return;
    this.touch();
    if (event.id !== undefined) this.#lastEventId = event.id;
    if (event.data === '' || (event.event !== undefined && event.event !== 'message')) return;
    for (const frame of framesOrJunk(Buffer.from(event.data), this.#peer.warn)) {
      this.#peer.table.receive(frame, 200, this);
    }
    if (this.isEnded) this.#peer.linger(() => this.#abort(), LINGER_MS);
  }

  #canReopen(): boolean {
    return this.isRemapped && this.#lastEventId !== undefined;
  }

  #reopen(): void {
    this.#endResumption = this.#peer.reopen(this, this.#lastEventId ?? '', this.#retryMs);
  }
}

/** The response in a body, whatever its id says: a POST's answer can be to nothing else. */
function responseIn(body: Buffer, wireId: string): Frame | undefined {
  try {
    const frames = framesOf(body).filter(({ kind }) => kind === 'response' || kind === 'error');
    return frames.length < 2 ? frames[0] : frames.find((frame) => frame.idText === wireId);
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    return undefined;
  }
}

/** An unknown method is answered with the same status as an unknown session. */
const isMethodNotFound = (frame: Frame | undefined): boolean =>
  frame?.kind === 'error' && frame.idText !== undefined && errorCodeOf(frame) === METHOD_NOT_FOUND;
