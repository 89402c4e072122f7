import { pino } from 'pino';

/** Where finished lines go. */
export interface LineSink {
  /** Takes one line with its line break; never throws, never waits. */
  write(line: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

// A reader that never reads must not cost the gateway its memory: lines beyond this are dropped.
const MAX_BACKLOG_BYTES = 8 * 1_048_576;

/** Writes to an open file descriptor in the background, many lines a write when they come fast. */
export function createLineSink(fileDescriptor: number): LineSink {
  const stream = pino.destination({ dest: fileDescriptor, sync: false, maxLength: MAX_BACKLOG_BYTES });
  let isIdle = true;
  let isClosed = false;
  const waiting: (() => void)[] = [];
  const settle = (): void => {
    isIdle = true;
    for (const resume of waiting.splice(0)) resume();
  };
  stream.on('drain', settle);
  // The reader went away. Nobody is left to tell, and a log is no reason to fail.
  stream.on('error', () => {
    isClosed = true;
    settle();
  });
  const flush = async (): Promise<void> => {
    if (!isIdle) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    write(line) {
      if (isClosed) return;
      isIdle = false;
      stream.write(line);
    },
    flush,
    async close() {
      await flush();
      if (isClosed) return;
      isClosed = true;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.end();
      });
    },
  };
}
