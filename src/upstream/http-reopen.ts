import { openEventStream } from './event-stream.ts';
import type { HttpStreamDeps } from './http-listener.ts';
import type { HttpPeer } from './http-peer.ts';

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
  return (call, firstEventId, firstRetryMs) => {
    let lastEventId = firstEventId;
    let retryMs = firstRetryMs ?? DEFAULT_RETRY_MS;
    let fruitless = 0;

    const again = (): void => {
      if (call.isEnded) return;
      if (fruitless++ >= MAX_FRUITLESS) {
        return call.failWith(deps.fail('UPSTREAM_CLOSED', 'ended its stream without a response'));
      }
      deps.after(Math.min(retryMs, MAX_RETRY_MS), open);
    };

    const open = (): void => {
      if (call.isEnded) return;
      const stream = openEventStream({
        origin: deps.origin,
        url: deps.origin.url,
        headers: [...deps.sessionHeaders(), 'last-event-id', lastEventId],
        maxEventBytes: deps.messageBytes,
        onOpen: () => undefined,
        onEvent: (event) => {
          fruitless = 0;
          if (event.id !== undefined) lastEventId = event.id;
          call.takeEvent(event);
          if (call.isEnded) stream.close();
        },
        onRetry: (ms) => {
          retryMs = ms;
        },
        onClose: ({ status }) => {
          if (status === undefined || status >= 500) return again();
          call.failWith(
            deps.fail('UPSTREAM_CLOSED', `broke its stream and does not resume it (HTTP ${status})`, {
              data: { status },
            }),
          );
        },
      });
    };

    again();
  };
}
