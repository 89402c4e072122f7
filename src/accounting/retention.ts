import type { Database } from '../state/index.ts';

export interface RetentionLimits {
  /** Rows older than this are deleted. */
  readonly maxDays: number;
  /** The oldest rows give way when the state file would take more than this. */
  readonly maxBytes: number;
}

export interface Retention {
  /** Deletes what is too old or too much, a little at a time. */
  sweep(): Promise<void>;
}

const DAY_MS = 86_400_000;

// A few milliseconds of work each, so that writes and reports get their turn in between.
const CHUNK_ROWS = 2_000;
const CHUNK_PAGES = 500;

// Down to here, so that not every sweep has to delete something.
const KEPT_SHARE = 0.9;

const DROP_OLD = `DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE time_ms < ? LIMIT ?)`;
const DROP_OLDEST = `DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests ORDER BY time_ms LIMIT ?)`;
const DROP_OLD_LOSSES = `DELETE FROM unrecorded_requests WHERE time_ms < ?`;
const PAGES = `
  SELECT page_size, page_count, freelist_count
  FROM pragma_page_size, pragma_page_count, pragma_freelist_count`;

export function createRetention(
  database: Database,
  limits: RetentionLimits,
  epochNow: () => number,
): Retention {
  const changesOf = async (sql: string, values: readonly number[]): Promise<number> =>
    (await database.write([{ sql, rows: [values] }]))[0] ?? 0;
  const dropOld = async (): Promise<void> => {
    const oldest = epochNow() - limits.maxDays * DAY_MS;
    await changesOf(DROP_OLD_LOSSES, [oldest]);
    let changes: number;
    do changes = await changesOf(DROP_OLD, [oldest, CHUNK_ROWS]);
    while (changes === CHUNK_ROWS);
  };
  const dropMany = async (): Promise<void> => {
    if ((await fileUse(database)).usedBytes <= limits.maxBytes) return;
    let changes = CHUNK_ROWS;
    while (changes > 0 && (await fileUse(database)).usedBytes > limits.maxBytes * KEPT_SHARE) {
      changes = await changesOf(DROP_OLDEST, [CHUNK_ROWS]);
    }
  };
  const shrink = async (): Promise<void> => {
    // Free pages are filled again by later rows; a file far larger than its content is given back.
    let { freePages, pages } = await fileUse(database);
    while (freePages > pages / 4 && freePages > CHUNK_PAGES) {
      await database.all(`PRAGMA incremental_vacuum(${CHUNK_PAGES})`);
      const after = await fileUse(database);
      if (after.freePages >= freePages) return;
      ({ freePages, pages } = after);
    }
  };
  return {
    sweep: async () => {
      await dropOld();
      await dropMany();
      await shrink();
    },
  };
}

interface FileUse {
  readonly usedBytes: number;
  readonly pages: number;
  readonly freePages: number;
}

async function fileUse(database: Database): Promise<FileUse> {
  const [row] = await database.all(PAGES);
  const [pageBytes = 0, pages = 0, freePages = 0] = (row ?? []).map(Number);
  return { usedBytes: (pages - freePages) * pageBytes, pages, freePages };
}
