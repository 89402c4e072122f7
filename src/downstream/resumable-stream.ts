import type { ServerResponse } from 'node:http';
import { encodeSseEvent } from '../wire/index.ts';
import { type EventStream, isBehind, keepAlive } from './event-stream.ts';

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
  return new LoggedStream(options);
}

class LoggedStream implements ResumableStream {
  readonly #options: ResumableStreamOptions;
  readonly #events: LoggedEvent[] = [];
  #keptBytes = 0;
  #sequence = 0;
  #res: ServerResponse | undefined;
  #isEnded = false;

  constructor(options: ResumableStreamOptions) {
    this.#options = options;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  attach(res: ServerResponse): void {
    this.#attach(res);
    res.write(this.#opening());
  }

  resume(res: ServerResponse, sequence: number): void {
    this.#attach(res);
    for (const event of this.#events) if (event.sequence > sequence) res.write(event.text);
    if (this.#isEnded) res.end();
  }

  send(frame: Buffer): void {
    const text = this.#record(frame);
    this.#res?.write(text);
  }

  notify(frame: Buffer): void {
    const text = this.#record(frame);
    if (this.#res !== undefined && !isBehind(this.#res)) this.#res.write(text);
  }

  keepAlive(): void {
    if (this.#res !== undefined) keepAlive(this.#res);
  }

  rest(): void {
    const resting = this.#res;
    this.#res = undefined;
    resting?.end();
  }

  end(): void {
    this.#isEnded = true;
    this.#res?.end();
  }

  #attach(res: ServerResponse): void {
    // A host that comes back has given up the connection it had, even where that does not show yet.
    this.#res?.end();
    this.#res = res;
    res.on('close', () => {
      if (this.#res !== res) return;
      this.#res = undefined;
      if (this.#isEnded && res.writableFinished) this.#options.onSettled();
    });
  }

  /** Gives the host an id to come back with before anything has happened. */
  #opening(): string {
    const id = `${this.#options.streamId}.${this.#sequence}`;
    if (this.#options.isPrimed) return encodeSseEvent('', { id, retryMs: RETRY_MS });
    // Without a data field the id is remembered and nothing is dispatched.
    return `id: ${id}\nretry: ${RETRY_MS}\n\n`;
  }

  #record(frame: Buffer): string {
    this.#sequence++;
    const id = `${this.#options.streamId}.${this.#sequence}`;
    const text = encodeSseEvent(frame.toString('utf8'), { id });
    this.#events.push({ sequence: this.#sequence, text });
    this.#keptBytes += text.length;
    while (this.#events.length > MAX_EVENTS || (this.#keptBytes > MAX_BYTES && this.#events.length > 1)) {
      this.#keptBytes -= this.#events.shift()?.text.length ?? 0;
    }
    return text;
  }
}

/** Reads an event id back; undefined when it is not one of ours. */
export function parseEventId(
  id: string,
): { readonly streamId: string; readonly sequence: number } | undefined {
  const found = /^([A-Za-z0-9-]+)\.(\d{1,9})$/.exec(id);
  return found?.[1] === undefined ? undefined : { streamId: found[1], sequence: Number(found[2]) };
}
