import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { createSseDecoder, type SseDecoder, type SseEvent } from '../wire/index.ts';
import { contentDecoder, headerText } from './http-encoding.ts';
import type { HttpOrigin } from './http-origin.ts';
import { isRedirect } from './http-redirect.ts';

export interface EventStreamOptions {
  readonly origin: HttpOrigin;
  readonly url: URL;
  readonly headers: readonly string[];
  readonly maxEventBytes: number;
  readonly onOpen: () => void;
  readonly onEvent: (event: SseEvent) => void;
  readonly onRetry: (retryMs: number) => void;
  /** Once. A refused stream has a status; a broken or ended one may have an error. */
  readonly onClose: (end: EventStreamEnd) => void;
}

export interface EventStreamEnd {
  /** The status of an answer that was no event stream. */
  readonly status: number | undefined;
  readonly error: Error | undefined;
}

export interface EventStream {
  close(): void;
}

const HEADERS = ['accept', 'text/event-stream', 'accept-encoding', 'identity', 'cache-control', 'no-store'];

/** One GET whose answer is an event stream. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const handler = new StreamHandler(options);
  handler.open();
  return handler;
}

class StreamHandler implements EventStream, Dispatcher.DispatchHandler {
  readonly #options: EventStreamOptions;
  #url: URL;
  #hops = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #decoder: SseDecoder | undefined;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    this.#url = options.url;
  }

  open(): void {
    const { origin, headers } = this.#options;
    origin.dispatch('GET', this.#url, [...HEADERS, ...origin.headers, ...headers], null, this);
  }

  close(): void {
    this.#isClosed = true;
    this.#abort();
  }

  #abort(): void {
    const controller = this.#controller;
    this.#controller = undefined;
    controller?.abort(new Error('the stream was closed'));
  }

  #end(status: number | undefined, error: Error | undefined): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort();
    this.#options.onClose({ status, error });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isClosed) controller.abort(new Error('the stream was closed'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (this.#isClosed || status < 200) return;
    if (isRedirect(status)) return this.#redirect(status, headerText(headers.location));
    const isEvents =
      headerText(headers['content-type'])?.toLowerCase().startsWith('text/event-stream') === true;
    if (status !== 200 || !isEvents) return this.#end(status, undefined);
    const encoding = contentDecoder(headerText(headers['content-encoding']));
    if (encoding === null) return this.#end(undefined, new Error('an encoding that was not asked for'));
    const events = createSseDecoder({
      maxEventBytes: this.#options.maxEventBytes,
      onEvent: (event) => {
        if (!this.#isClosed) this.#options.onEvent(event);
      },
      onRetry: this.#options.onRetry,
      onTooLarge: () => this.#end(undefined, new Error('an event above the size limit')),
    });
    this.#decoder = events;
    if (encoding !== undefined) {
      this.#decoder = { push: (chunk) => encoding.write(chunk) };
      encoding.on('data', (chunk: Buffer) => events.push(chunk));
      encoding.once('error', (error) => this.#end(undefined, error));
    }
    this.#options.onOpen();
  }

  #redirect(status: number, location: string | undefined): void {
    try {
      this.#url = this.#options.origin.follow(status, location, this.#url, this.#hops++);
    } catch (error) {
      return this.#end(undefined, error as Error);
    }
    this.#abort();
    this.open();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (controller === this.#controller) this.#decoder?.push(chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (controller === this.#controller) this.#end(undefined, undefined);
  }

  onResponseError(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    // Errors of a request that a redirect replaced are not this stream's.
    if (controller !== undefined && this.#controller !== undefined && controller !== this.#controller) return;
    if (this.#controller === undefined && error.message === 'the stream was closed') return;
    this.#end(undefined, error);
  }
}
