/** Something that waits for a place. */
export interface Waiter {
  admit(): void;
}

/** Bounds the calls in flight to one server, and the queue behind them. */
export interface Limiter {
  /** Takes a place at once, or returns false. */
  tryEnter(): boolean;
  /** Gives a place back; the longest waiter gets it. */
  leave(): void;
  /** Queues; false when the queue is full. */
  wait(waiter: Waiter): boolean;
  forget(waiter: Waiter): void;
  readonly active: number;
  /** How many ever entered: two equal readings mean that nothing happened in between. */
  readonly entered: number;
}

export function createLimiter(maxActive: number, maxWaiting: number): Limiter {
  const waiting = new Set<Waiter>();
  let active = 0;
  let entered = 0;
  return {
    tryEnter: () => {
      if (active >= maxActive) return false;
      active++;
      entered++;
      return true;
    },
    leave: () => {
      const [next] = waiting;
      if (next === undefined) {
        active--;
        return;
      }
      // The place passes on without becoming free, so that a newcomer cannot overtake.
      waiting.delete(next);
      entered++;
      next.admit();
    },
    wait: (waiter) => {
      if (waiting.size >= maxWaiting) return false;
      waiting.add(waiter);
      return true;
    },
    forget: (waiter) => {
      waiting.delete(waiter);
    },
    get active() {
      return active;
    },
    get entered() {
      return entered;
    },
  };
}
