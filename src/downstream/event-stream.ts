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

/** A stream of frames to one host. */
export interface EventStream {
  send(frame: Buffer): void;
  keepAlive(): void;
  /** Lets the host go until it comes back for the rest, where it can. */
  rest(): void;
  /** The stream is complete: nothing follows. */
  end(): void;
}

/** A stream that lives and dies with its response: the stateless era has no resumption. */
export function plainEventStream(res: ServerResponse): EventStream {
  return {
    send: (frame) => void res.write(encodeSseEvent(frame.toString('utf8'))),
    keepAlive: () => void res.write(SSE_KEEP_ALIVE),
    rest: () => undefined,
    end: () => void res.end(),
  };
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
  readonly isEnded: boolean;
  /** Continues on another response with what came after `sequence`. */
  resume(res: ServerResponse, sequence: number): void;
  attach(res: ServerResponse): void;
}

/**
 * Event ids are `<stream>.<sequence>`. What a host may have missed is kept within bounds; with more than that
 * missed, the oldest are gone, as after a longer break.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export function createResumableStream(streamId: string, onSettled: () => void): ResumableStream {
  const events: LoggedEvent[] = [];
  let keptBytes = 0;
  let sequence = 0;
  let res: ServerResponse | undefined;
  let isEnded = false;

  const record = (text: string): void => {
    events.push({ sequence, text });
    keptBytes += text.length;
    while (events.length > MAX_EVENTS || (keptBytes > MAX_BYTES && events.length > 1)) {
      keptBytes -= events.shift()?.text.length ?? 0;
    }
  };

  const attach = (next: ServerResponse): void => {
    res = next;
    next.on('close', () => {
      if (res !== next) return;
      res = undefined;
      if (isEnded && next.writableFinished) onSettled();
    });
  };

  return {
    get isEnded() {
      return isEnded;
    },
    attach: (next) => {
      attach(next);
      // An event without data: it gives the host an id to resume from before anything has happened.
      next.write(`${encodeSseEvent('', { id: `${streamId}.0`, retryMs: RETRY_MS })}`);
    },
    send: (frame) => {
      sequence++;
      const text = encodeSseEvent(frame.toString('utf8'), { id: `${streamId}.${sequence}` });
      record(text);
      res?.write(text);
    },
    keepAlive: () => void res?.write(SSE_KEEP_ALIVE),
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
