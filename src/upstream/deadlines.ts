import { type Clock, createBag } from '../domain/index.ts';

/** Something that must end by itself when its time is over. */
export interface Timed {
  /** Where it stands among the others that wait; NOWHERE to begin with. */
  deadlineSeat: number;
  /** Monotonic milliseconds at which it is due; may move while it waits. */
  dueAtMs(): number;
  expire(): void;
}

/** One coarse timer for everything that waits: adding and removing cost a set operation, no timer each. */
export interface Deadlines {
  now(): number;
  add(item: Timed): void;
  delete(item: Timed): void;
}

/** Calls are measured in seconds; a tenth of one is precise enough and costs nothing. */
const DEFAULT_TICK_MS = 100;

export function createDeadlines(clock: Clock, tickMs: number = DEFAULT_TICK_MS): Deadlines {
  const items = createBag<'deadlineSeat', Timed>('deadlineSeat');
  let isTicking = false;

  const tick = (): void => {
    const now = clock.now();
    for (const item of items.items()) if (items.has(item) && item.dueAtMs() <= now) item.expire();
    if (items.size > 0) clock.after(tickMs, tick);
    else isTicking = false;
  };

  return {
    now: () => clock.now(),
    add: (item) => {
      items.add(item);
      if (isTicking) return;
      isTicking = true;
      clock.after(tickMs, tick);
    },
    delete: (item) => {
      items.delete(item);
    },
  };
}
