import { createArchiveMode } from './archive-mode.ts';
import { createChanges } from './changes.ts';
import { createStore } from './open-store.ts';
import { createDemoStore } from './seed.ts';
import type { Tracker } from './server.ts';

export interface TrackerOptions {
  /** A database file; without one the tracker lives in memory and starts with the demo tickets. */
  readonly db?: string | undefined;
  readonly now: () => Date;
}

export function openTracker({ db, now }: TrackerOptions): Tracker {
  const changes = createChanges();
  const store =
    db === undefined
      ? createDemoStore({ file: ':memory:', now, changes })
      : createStore({ file: db, now, changes });
  return { store, changes, archiveMode: createArchiveMode(changes) };
}
