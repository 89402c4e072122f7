import type { Clock } from '../domain/index.ts';

/** Lets the first warning of a key through, and one more each time a minute has passed. */
export interface WarnLimiter {
  /** How many were held back since the last one of this key; `undefined` holds this one back too. */
  admit(key: string): number | undefined;
  /** The keys that have held back warnings nobody has heard of yet. */
  leftovers(): readonly { readonly key: string; readonly suppressed: number }[];
}

const WINDOW_MS = 60_000;

// Keys may hold names from outside; this many are remembered, and the oldest gives way.
const MAX_KEYS = 1000;

export function createWarnLimiter(clock: Pick<Clock, 'now'>): WarnLimiter {
  const windows = new Map<string, { readonly endMs: number; suppressed: number }>();
  return {
    admit(key) {
      const nowMs = clock.now();
      const window = windows.get(key);
      if (window !== undefined && nowMs < window.endMs) {
        window.suppressed += 1;
        return undefined;
      }
      windows.delete(key);
      if (windows.size >= MAX_KEYS) {
        const [oldest] = windows.keys();
        if (oldest !== undefined) windows.delete(oldest);
      }
      windows.set(key, { endMs: nowMs + WINDOW_MS, suppressed: 0 });
      return window?.suppressed ?? 0;
    },
    leftovers: () =>
      [...windows]
        .filter(([, { suppressed }]) => suppressed > 0)
        .map(([key, { suppressed }]) => ({ key, suppressed })),
  };
}
