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
function keepAlive(res: ServerResponse): void {
  if (res.writableLength === 0) res.write(SSE_KEEP_ALIVE);
}

/** Milliseconds that a host whose stream broke is asked to wait before it resumes. */
const RETRY_MS = 1_000;
const MAX_EVENTS = 256;
const MAX_BYTES = 1024 * 1024;

interface LoggedEvent {
  readonly sequence: number;
  readonly text: string;
}

/** A stream whose events carry ids, so that a host can pick it up where it broke. */
export interface ResumableStream extends EventStream {
  /** True once nothing more will be written to it. */
  readonly isEnded: boolean;
  /** What it holds for a host that comes back. */
  readonly keptBytes: number;
  /** Continues on another response with what came after `sequence`. */
  resume(res: ServerResponse, sequence: number): void;
  attach(res: ServerResponse): void;
}

export interface ResumableStreamOptions {
  readonly streamId: string;
  /**
   * Whether the first event is one that hosts see, with an id and no data. Revisions before 2025-11-25 know no such
   * event, and their hosts take every event for a message.
   */
  readonly isPrimed: boolean;
  /** The host has everything. */
  readonly onSettled: () => void;
}

/**
 * Event ids are `<stream>.<sequence>`. What a host may have missed is kept within bounds; with more than that
 * missed, the oldest are gone, as after a longer break.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export function createResumableStream(options: ResumableStreamOptions): ResumableStream {
  const { streamId } = options;
  const events: LoggedEvent[] = [];
  let keptBytes = 0;
  let sequence = 0;
  let res: ServerResponse | undefined;
  let isEnded = false;

  const record = (frame: Buffer): string => {
    sequence++;
    const text = encodeSseEvent(frame.toString('utf8'), { id: `${streamId}.${sequence}` });
    events.push({ sequence, text });
    keptBytes += text.length;
    while (events.length > MAX_EVENTS || (keptBytes > MAX_BYTES && events.length > 1)) {
      keptBytes -= events.shift()?.text.length ?? 0;
    }
    return text;
  };

  const attach = (next: ServerResponse): void => {
    // A host that comes back has given up the connection it had, even where that does not show yet.
    res?.end();
    res = next;
    next.on('close', () => {
      if (res !== next) return;
      res = undefined;
      if (isEnded && next.writableFinished) options.onSettled();
    });
  };

  /** Gives the host an id to come back with before anything has happened. */
  const opening = (): string => {
    const id = `${streamId}.${sequence}`;
    if (options.isPrimed) return encodeSseEvent('', { id, retryMs: RETRY_MS });
    // Without a data field the id is remembered and nothing is dispatched.
    return `id: ${id}\nretry: ${RETRY_MS}\n\n`;
  };

  return {
    get isEnded() {
      return isEnded;
    },
    get keptBytes() {
      return keptBytes;
    },
    attach: (next) => {
      attach(next);
      next.write(opening());
    },
    send: (frame) => {
      const text = record(frame);
      res?.write(text);
    },
    notify: (frame) => {
      const text = record(frame);
      if (res !== undefined && !isBehind(res)) res.write(text);
    },
    keepAlive: () => {
      if (res !== undefined) keepAlive(res);
    },
    rest: () => {
      const resting = res;
      res = undefined;
      resting?.end();
    },
    end: () => {
      isEnded = true;
      res?.end();
    },
    resume: (next, after) => {
      attach(next);
      for (const event of events) if (event.sequence > after) next.write(event.text);
      if (isEnded) next.end();
    },
  };
}

/** Reads an event id back; undefined when it is not one of ours. */
export function parseEventId(
  id: string,
): { readonly streamId: string; readonly sequence: number } | undefined {
  const found = /^([A-Za-z0-9-]+)\.(\d{1,9})$/.exec(id);
  return found?.[1] === undefined ? undefined : { streamId: found[1], sequence: Number(found[2]) };
}
