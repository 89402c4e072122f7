import { type EventStream, type EventStreamEnd, openEventStream } from './event-stream.ts';
import type { HttpStreamDeps } from './http-listener.ts';
import type { HttpPeer, ResumableCall } from './http-peer.ts';

const DEFAULT_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Streams in a row that bring nothing new before the call is given up. */
const MAX_FRUITLESS = 5;

/**
 * Continues a legacy call whose stream ended before its response: the server keeps the call going and
 * replays what came after the last event.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export function createReopener(deps: HttpStreamDeps): HttpPeer['reopen'] {
  return (call, lastEventId, retryMs) => {
    const resumption = new Resumption(deps, call, lastEventId, retryMs ?? DEFAULT_RETRY_MS);
    resumption.wait();
    return () => resumption.close();
  };
}

class Resumption {
  readonly #deps: HttpStreamDeps;
  readonly #call: ResumableCall;
  #lastEventId: string;
  #retryMs: number;
  #fruitless = 0;
  #stream: EventStream | undefined;
  #cancelWait: (() => void) | undefined;

  constructor(deps: HttpStreamDeps, call: ResumableCall, lastEventId: string, retryMs: number) {
    this.#deps = deps;
    this.#call = call;
    this.#lastEventId = lastEventId;
    this.#retryMs = retryMs;
  }

  wait(): void {
    if (this.#call.isEnded) return;
    if (this.#fruitless++ >= MAX_FRUITLESS) {
      const error = this.#deps.fail('UPSTREAM_CLOSED', 'ended its stream without a response');
      return this.#call.failWith(error);
    }
    this.#cancelWait = this.#deps.after(Math.min(this.#retryMs, MAX_RETRY_MS), () => this.#open());
  }

  close(): void {
    this.#cancelWait?.();
    this.#stream?.close();
  }

  #open(): void {
    const { origin, messageBytes, sessionHeaders } = this.#deps;
    this.#stream = openEventStream({
      origin,
      url: origin.url,
      headers: [...sessionHeaders(), 'last-event-id', this.#lastEventId],
      maxEventBytes: messageBytes,
      onOpen: () => undefined,
      onEvent: (event) => {
        this.#fruitless = 0;
        if (event.id !== undefined) this.#lastEventId = event.id;
        this.#call.takeEvent(event);
      },
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
      onClose: (end) => this.#ended(end),
    });
  }

  #ended({ status }: EventStreamEnd): void {
    this.#stream = undefined;
    if (status === undefined || status >= 500) return this.wait();
    const what = `broke its stream and does not resume it (HTTP ${status})`;
    this.#call.failWith(this.#deps.fail('UPSTREAM_CLOSED', what, { data: { status } }));
  }
}
