import type { ServerResponse } from 'node:http';
import { encodeSseEvent, SSE_KEEP_ALIVE } from '../wire/index.ts';

/** Headers of every event stream; the last tells reverse proxies not to hold events back. */
export const SSE_HEADERS: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
];

/**
 * A host that leaves this much unread is told nothing more than what it must have: what was sent to it waits in
 * the gateway's memory, and a server's notifications have no end.
 */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export const isBehind = (output: { readonly writableLength: number }): boolean =>
  output.writableLength > MAX_UNREAD_BYTES;

/** A stream of frames to one host. */
export interface EventStream {
  /** Sends what the host must have: a response, or a question. */
  send(frame: Buffer): void;
  /** Sends what the host can do without, unless it is far behind with its reading. */
  notify(frame: Buffer): void;
  keepAlive(): void;
  /** Lets the host go until it comes back for the rest, where it can. */
  rest(): void;
  /** The stream is complete: nothing follows. */
  end(): void;
}

/** A stream that lives and dies with its response: the stateless era has no resumption. */
export function plainEventStream(res: ServerResponse): EventStream {
  const send = (frame: Buffer): void => void res.write(encodeSseEvent(frame.toString('utf8')));
  return {
    send,
    notify: (frame) => {
      if (!isBehind(res)) send(frame);
    },
    keepAlive: () => keepAlive(res),
    rest: () => undefined,
    end: () => void res.end(),
  };
}

/** A comment says nothing to a host that has not read what came before it. */
export function keepAlive(res: ServerResponse): void {
  if (res.writableLength === 0) res.write(SSE_KEEP_ALIVE);
}
