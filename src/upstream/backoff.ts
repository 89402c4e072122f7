import type { RestartConfig } from '../config/index.ts';

/** Delays between attempts: doubling, with jitter, up to a ceiling. */
export interface Backoff {
  /** The delay before the next attempt after one more failure. */
  next(): number;
  reset(): void;
}

/** Half of each delay is random, so that servers that fell together do not return together. */
export function createBackoff(
  config: Pick<RestartConfig, 'initialDelayMs' | 'maxDelayMs'>,
  random: () => number = Math.random,
): Backoff {
  let failures = 0;
  return {
    next: () => {
      // 2^30 passes any ceiling; without the cap the power would reach Infinity after a thousand failures.
      const full = Math.min(config.maxDelayMs, config.initialDelayMs * 2 ** Math.min(failures, 30));
      failures++;
      return Math.round(full / 2 + (full / 2) * random());
    },
    reset: () => {
      failures = 0;
    },
  };
}
