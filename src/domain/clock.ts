/** Time as a dependency, so that tests drive it. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls once after `delayMs`; returns the cancel function. Does not keep the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
