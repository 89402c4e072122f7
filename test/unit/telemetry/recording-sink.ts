import type { LineSink } from '../../../src/telemetry/index.ts';

/** A sink that keeps what it is given. */
export interface RecordingSink extends LineSink {
  readonly lines: readonly string[];
  /** The lines as JSON. */
  entries(): readonly Record<string, unknown>[];
}

export function createRecordingSink(): RecordingSink {
  const lines: string[] = [];
  return {
    lines,
    write: (line) => {
      lines.push(line);
    },
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
    entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
