import { writeSync } from 'node:fs';

/** Where finished lines go. */
export interface LineSink {
  /** Takes one line with its line break; never throws, never waits. */
  write(line: string): void;
  /** Resolves when all of it is written, or when the reader has not moved for half a second. */
  flush(): Promise<void>;
  /** Flushes, then ignores further lines. */
  close(): Promise<void>;
}

export interface LineSinkOptions {
  /** The line that tells how many were dropped. */
  readonly droppedLine: (count: number) => string;
}

// A reader that never reads must not cost the gateway its memory: lines beyond this are dropped.
const MAX_BACKLOG_CHARACTERS = 8 * 1_048_576;

/** Lines gather for this long: a write costs more than they do, and nobody reads faster. */
const GATHER_MS = 20;
const RETRY_MS = 20;
const PATIENCE_MS = 500;

/**
 * Writes to an open file descriptor, many lines at a time, without ever blocking on a pipe.
 * A background write would hold a thread that a reader which stopped reading never gives back, and the
 * process could then not end.
 */
export function createLineSink(fileDescriptor: number, { droppedLine }: LineSinkOptions): LineSink {
  // Node makes standard error non-blocking where it is a pipe, as soon as its stream exists.
  if (fileDescriptor === 2 && !process.stderr.writable) return closedSink;
  const backlog = createBacklog(droppedLine);
  let isClosed = false;
  let isScheduled = false;

  const stop = (): void => {
    isClosed = true;
    backlog.clear();
    process.removeListener('exit', writeLast);
  };
  function pump(): boolean {
    isScheduled = false;
    try {
      for (let chunk = backlog.next(); chunk !== undefined; chunk = backlog.next()) {
        backlog.taken(writeSync(fileDescriptor, chunk));
      }
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      // The reader went away. Nobody is left to tell, and a log is no reason to fail.
      stop();
      return true;
    }
  }
  function pumpLater(): void {
    if (!pump() && !isScheduled) {
      isScheduled = true;
      setTimeout(pumpLater, RETRY_MS).unref();
    }
  }
  /** The process ends without a close: what fits is still written. */
  function writeLast(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (let waitedMs = 0; !pump() && waitedMs < PATIENCE_MS / 2; waitedMs += RETRY_MS) {
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
  process.once('exit', writeLast);
  async function flush(): Promise<void> {
    for (let waitedMs = 0; !pump() && waitedMs < PATIENCE_MS; waitedMs += RETRY_MS) {
      await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return {
    write(line) {
      if (isClosed) return;
      backlog.add(line);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(pumpLater, GATHER_MS).unref();
    },
    flush,
    async close() {
      await flush();
      stop();
    },
  };
}

const closedSink: LineSink = {
  write: () => undefined,
  flush: async () => undefined,
  close: async () => undefined,
};

function isBusy(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code === 'EAGAIN' || code === 'EBUSY' || code === 'EINTR';
}

/** Lines that wait, and the rest of the one that was written in part. */
interface Backlog {
  add(line: string): void;
  /** The bytes to write next, the same until `taken` says how many of them went. */
  next(): Buffer | undefined;
  taken(bytes: number): void;
  clear(): void;
}

function createBacklog(droppedLine: (count: number) => string): Backlog {
  let lines: string[] = [];
  let characters = 0;
  let dropped = 0;
  let chunk: Buffer = Buffer.alloc(0);
  return {
    add(line) {
      if (characters + line.length > MAX_BACKLOG_CHARACTERS) {
        dropped += 1;
        return;
      }
      lines.push(line);
      characters += line.length;
    },
    next() {
      if (chunk.length > 0) return chunk;
      if (lines.length === 0) return undefined;
      if (dropped > 0) lines.push(droppedLine(dropped));
      chunk = Buffer.from(lines.join(''));
      [lines, characters, dropped] = [[], 0, 0];
      return chunk;
    },
    taken(bytes) {
      chunk = chunk.subarray(bytes);
    },
    clear() {
      [lines, characters, dropped, chunk] = [[], 0, 0, Buffer.alloc(0)];
    },
  };
}
