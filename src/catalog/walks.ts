import { type Clock, DEFINITION_KINDS, type DefinitionKind } from '../domain/index.ts';

/** After a change was read, further changes of the same server are gathered for this long. */
const MIN_PAUSE_MS = 100;
/** A server that announces changes that are none is read no more often than this. */
const MAX_PAUSE_MS = 5_000;

/** Reads one server's lists, one walk at a time. */
export interface Walks {
  /** Whether the walk that is under way reads this list. */
  isReading(kind: DefinitionKind): boolean;
  /** The walk that is under way, or a new one of all lists. */
  join(): Promise<void>;
  /** Resolves after a walk that began later than this call. */
  again(kinds: readonly DefinitionKind[]): Promise<void>;
  /**
   * The same for a change that the server announced: a burst becomes few walks, and the last change of it is
   * always read.
   */
  changed(kinds: readonly DefinitionKind[]): Promise<void>;
}

/** The walk that is wanted after the one under way. */
interface Next {
  readonly kinds: Set<DefinitionKind>;
  readonly done: Promise<void>;
  readonly resolve: () => void;
  isUrgent: boolean;
}

/** @param walk reads the lists and tells whether anything in them was new; never rejects */
export function createWalks(
  walk: (kinds: readonly DefinitionKind[]) => Promise<boolean>,
  clock: Clock,
): Walks {
  let running: Promise<void> | undefined;
  let reading: ReadonlySet<DefinitionKind> = new Set();
  let next: Next | undefined;
  let cancelPause: (() => void) | undefined;
  let pauseMs = 0;
  let endedAtMs = Number.NEGATIVE_INFINITY;

  const run = async (wanted: Next): Promise<void> => {
    try {
      const isNews = await walk([...wanted.kinds]);
      if (isNews) pauseMs = MIN_PAUSE_MS;
      else if (!wanted.isUrgent) pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, pauseMs * 2));
    } finally {
      endedAtMs = clock.now();
      running = undefined;
      wanted.resolve();
      schedule();
    }
  };

  const startNext = (): void => {
    cancelPause?.();
    cancelPause = undefined;
    const wanted = next;
    next = undefined;
    // Behind this turn: a server that announces a change while it is asked must find the walk under way.
    if (wanted === undefined) return;
    reading = wanted.kinds;
    running = Promise.resolve(wanted).then(run);
  };

  const schedule = (): void => {
    if (next === undefined || running !== undefined) return;
    const waitMs = endedAtMs + pauseMs - clock.now();
    if (next.isUrgent || waitMs <= 0) startNext();
    else cancelPause ??= clock.after(waitMs, startNext);
  };

  const want = (kinds: readonly DefinitionKind[], isUrgent: boolean): Promise<void> => {
    next ??= createNext();
    for (const kind of kinds) next.kinds.add(kind);
    next.isUrgent ||= isUrgent;
    const { done } = next;
    schedule();
    return done;
  };

  return {
    isReading: (kind) => running !== undefined && reading.has(kind),
    join: () => running ?? want(DEFINITION_KINDS, true),
    again: (kinds) => want(kinds, true),
    changed: (kinds) => want(kinds, false),
  };
}

function createNext(): Next {
  let resolve: () => void = () => undefined;
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { kinds: new Set(), done, resolve, isUrgent: false };
}
