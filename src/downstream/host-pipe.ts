import type { Readable, Writable } from 'node:stream';
import { createLineSplitter } from '../wire/index.ts';
import { isBehind } from './event-stream.ts';

export interface HostPipeDeps {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes: number;
  readonly onLine: (line: Buffer) => void;
  readonly onTooLong: (lineBytes: number) => void;
  /** Once: the host closed its end, or reads no more. */
  readonly onClosed: () => void;
}

/** The two pipes of one host, line by line. */
export interface HostPipe {
  /** Sends what the host must have; false when it is gone. */
  send(frame: Buffer | string): boolean;
  /** Sends what the host can do without, unless it is far behind with its reading. */
  notify(frame: Buffer): void;
  close(): void;
}

export function createHostPipe(deps: HostPipeDeps): HostPipe {
  const { input, output } = deps;
  let isBroken = false;
  let hasClosed = false;

  const closed = (): void => {
    if (hasClosed) return;
    hasClosed = true;
    deps.onClosed();
  };
  const lines = createLineSplitter({
    maxLineBytes: deps.maxLineBytes,
    onLine: deps.onLine,
    onTooLong: deps.onTooLong,
  });
  const resume = (): void => void input.resume();

  const send = (frame: Buffer | string): boolean => {
    if (isBroken) return false;
    output.cork();
    output.write(singleLine(frame));
    const hasRoom = output.write('\n');
    output.uncork();
    // A host that does not read its answers is not listened to until it does: what it still asks stays its own.
    if (!hasRoom) input.pause();
    return true;
  };

  input.on('data', (chunk: Buffer) => lines.push(chunk));
  input.on('end', closed);
  input.on('error', closed);
  output.on('drain', resume);
  // A host that is gone shows as a broken pipe; it is a reason to stop, not a fault.
  output.on('error', () => {
    isBroken = true;
    closed();
  });

  return {
    send,
    notify: (frame) => {
      if (!isBehind(output)) send(frame);
    },
    close: () => {
      output.off('drain', resume);
      input.pause();
    },
  };
}

const NEWLINES = /[\r\n]/;

/** A frame on one line. Line ends in JSON stand between tokens only, so they can go. */
function singleLine(frame: Buffer | string): Buffer | string {
  const hasNewline =
    typeof frame === 'string' ? NEWLINES.test(frame) : frame.includes(0x0a) || frame.includes(0x0d);
  return hasNewline ? frame.toString().replace(/[\r\n]+/g, ' ') : frame;
}
