import { type Clock, createBag, type Seat } from '../domain/index.ts';

/** Something that must end by itself when its time is over. */
export interface Timed {
  /** Monotonic milliseconds at which it is due; may move while it waits. */
  dueAtMs(): number;
  expire(): void;
}

/** One coarse timer for everything that waits: adding and removing cost a set operation, no timer each. */
export interface Deadlines {
  now(): number;
  add(item: Timed): Seat<Timed>;
  leave(seat: Seat<Timed>): void;
}

/** Calls are measured in seconds; a tenth of one is precise enough and costs nothing. */
const DEFAULT_TICK_MS = 100;

export function createDeadlines(clock: Clock, tickMs: number = DEFAULT_TICK_MS): Deadlines {
  const items = createBag<Timed>();
  let isTicking = false;

  const tick = (): void => {
    const now = clock.now();
    for (const item of items.items()) if (item.dueAtMs() <= now) item.expire();
    if (items.size > 0) clock.after(tickMs, tick);
    else isTicking = false;
  };

  return {
    now: () => clock.now(),
    add: (item) => {
      if (!isTicking) {
        isTicking = true;
        clock.after(tickMs, tick);
      }
      return items.add(item);
    },
    leave: items.leave,
  };
}
