const LF = 0x0a;
const CR = 0x0d;

export interface LineSplitterOptions {
  /** A longer line is dropped whole; the stream goes on at the next LF. */
  readonly maxLineBytes: number;
  readonly onLine: (line: Buffer) => void;
  readonly onTooLong: (lineBytes: number) => void;
}

export interface LineSplitter {
  push(chunk: Buffer): void;
}

/**
 * Cuts a byte stream at LF alone: a character that is split over two chunks stays whole, and U+2028
 * inside a string is no line end. A CR before the LF, a byte order mark at the start and empty lines are dropped.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let isFirst = true;

  const emit = (tail: Buffer): void => {
    const lineBytes = heldBytes + tail.length;
    if (lineBytes > options.maxLineBytes) options.onTooLong(lineBytes);
    else {
      parts.push(tail);
      const line = trim(parts.length === 1 ? tail : Buffer.concat(parts), isFirst);
      if (line.length > 0) options.onLine(line);
    }
    isFirst = false;
    parts = [];
    heldBytes = 0;
  };

  const hold = (tail: Buffer): void => {
    heldBytes += tail.length;
    // Past the limit only the count goes on, so that an endless line costs no memory.
    if (heldBytes > options.maxLineBytes) parts = [];
    else if (tail.length > 0) parts.push(tail);
  };

  return {
    push: (chunk) => {
      let from = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        emit(chunk.subarray(from, at));
        from = at + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
    },
  };
}

function trim(line: Buffer, isFirst: boolean): Buffer {
  let start = 0;
  let end = line.length;
  if (isFirst && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3;
  if (end > start && line[end - 1] === CR) end--;
  return line.subarray(start, end);
}
