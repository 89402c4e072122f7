import type { GatewayError } from '../domain/index.ts';
import type { ChannelEvents, UpstreamLogger } from './channel.ts';
import type { Fail } from './failures.ts';
import { framesOrJunk } from './frames-of.ts';
import { type EventStream, type EventStreamEnd, openEventStream } from './event-stream.ts';
import type { HttpOrigin } from './http-origin.ts';
import type { InFlight } from './in-flight.ts';

export interface HttpStreamDeps {
  readonly origin: HttpOrigin;
  readonly fail: Fail;
  readonly logger: UpstreamLogger;
  readonly events: ChannelEvents;
  readonly messageBytes: number;
  readonly table: InFlight;
  readonly warn: (what: string) => void;
  readonly sessionHeaders: () => string[];
  readonly after: (delayMs: number, run: () => void) => () => void;
}

export interface HttpListenerDeps extends HttpStreamDeps {
  readonly sessionLost: (error: GatewayError) => void;
}

/** The legacy session's standing GET stream: what the server says outside any call. */
export interface HttpListener {
  open(): void;
  close(): void;
}

const FIRST_DELAY_MS = 1_000;
/** A server that closes every stream at once costs one request in five minutes. */
const MAX_DELAY_MS = 300_000;

/** https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server */
export function createHttpListener(deps: HttpListenerDeps): HttpListener {
  let stream: EventStream | undefined;
  let cancelWait: (() => void) | undefined;
  let isClosed = false;
  let lastEventId: string | undefined;
  let retryMs: number | undefined;
  let fruitless = 0;
  let hasOpened = false;

  const onClose = ({ status, error }: EventStreamEnd): void => {
    stream = undefined;
    if (isClosed) return;
    if (status === 404 && hasOpened && deps.sessionHeaders().includes('mcp-session-id')) {
      return deps.sessionLost(deps.fail('UPSTREAM_SESSION_LOST', 'no longer knows the session'));
    }
    // Not every server has such a stream, and a client error will not change by asking again.
    if (status !== undefined && status < 500) {
      return deps.logger.debug({ status }, 'server offers no standing stream');
    }
    fruitless++;
    const floorMs = retryMs ?? FIRST_DELAY_MS;
    const delayMs = Math.min(MAX_DELAY_MS, floorMs * 2 ** Math.min(fruitless - 1, 20));
    deps.logger.debug({ err: error, delayMs }, 'the standing stream ended');
    cancelWait = deps.after(delayMs, open);
  };

  const open = (): void => {
    if (isClosed || stream !== undefined) return;
    const resume = lastEventId === undefined ? [] : ['last-event-id', lastEventId];
    stream = openEventStream({
      origin: deps.origin,
      url: deps.origin.url,
      headers: [...deps.sessionHeaders(), ...resume],
      maxEventBytes: deps.messageBytes,
      onOpen: () => {
        hasOpened = true;
      },
      onEvent: (event) => {
        if (event.id !== undefined) lastEventId = event.id;
        if (event.data === '' || (event.event !== undefined && event.event !== 'message')) return;
        // Only a stream that brought something counts as one that works.
        fruitless = 0;
        for (const frame of framesOrJunk(Buffer.from(event.data), deps.warn)) deps.table.receive(frame);
      },
      onRetry: (ms) => {
        retryMs = Math.min(ms, MAX_DELAY_MS);
      },
      onClose,
    });
  };

  return {
    open,
    close: () => {
      isClosed = true;
      cancelWait?.();
      stream?.close();
    },
  };
}
