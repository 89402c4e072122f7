import type { Finding } from './compare.ts';

/** Counts what was shown to hold and what was not; only the latter is spelled out. */
export interface Report {
  readonly say: (line: string) => void;
  readonly pass: (count: number) => void;
  readonly fail: (what: string) => void;
  /** Counts one statement, and spells it out when it does not hold. */
  readonly expect: (holds: boolean, what: string) => void;
  /** Prints the closing line; the exit code of the run. */
  readonly close: () => number;
}

export function createReport(write: (line: string) => void): Report {
  let passed = 0;
  let failed = 0;
  const fail = (what: string) => {
    failed += 1;
    write(`FAIL ${what}`);
  };
  return {
    say: write,
    pass(count) {
      passed += count;
    },
    fail,
    expect(holds, what) {
      if (holds) passed += 1;
      else fail(what);
    },
    close() {
      write(`${passed} passed, ${failed} failed`);
      return failed === 0 && passed > 0 ? 0 : 1;
    },
  };
}

/** The suite quotes whole messages; its result folder has them in full. */
const MESSAGE_CHARS = 300;

export function describeFinding({ scenario, id, direct, through, message }: Finding): string {
  const change = `direct ${direct ?? 'none'}, through the gateway ${through ?? 'none'}`;
  return `${scenario}:${id} (${change})${message === '' ? '' : `: ${message.slice(0, MESSAGE_CHARS)}`}`;
}
