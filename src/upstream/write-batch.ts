import type { Writable } from 'node:stream';

export interface WriteBatch {
  /** Queues one message; all of a turn of the event loop go out as one write. */
  readonly write: (frame: Buffer) => void;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const LINE_END = Buffer.from('\n');

/** Writes line-framed messages: batched, and held back while the pipe is full. */
export function createWriteBatch(out: Writable): WriteBatch {
  let queued: Buffer[] = [];
  let isScheduled = false;
  let isFull = false;

  const flush = (): void => {
    isScheduled = false;
    if (queued.length === 0 || !out.writable) {
      queued = [];
      return;
    }
    const batch = queued;
    queued = [];
    isFull = !out.write(Buffer.concat(batch));
    if (!isFull) return;
    out.once('drain', () => {
      isFull = false;
      flush();
    });
  };

  return {
    write: (frame) => {
      queued.push(onOneLine(frame), LINE_END);
      if (isScheduled || isFull) return;
      isScheduled = true;
      setImmediate(flush);
    },
  };
}

/** In JSON a raw line end can only be white space between tokens, so a space says the same. */
function onOneLine(frame: Buffer): Buffer {
  if (!frame.includes(LF) && !frame.includes(CR)) return frame;
  const copy = Buffer.from(frame);
  for (let at = 0; at < copy.length; at++) {
    const byte = copy[at];
    if (byte === LF || byte === CR) copy[at] = SPACE;
  }
  return copy;
}
