import type { Clock } from '../domain/index.ts';
import { identityOf, prepareFile, setAside } from './database-file.ts';
import type { DatabaseRequest, DatabaseThreadData, SqlRow, Work } from './sql.ts';
import { isStateErrorCode, StateError } from './state-error.ts';
import { createThread, type Thread } from './thread.ts';
import { threadModule } from './thread-module.ts';

/**
 * The embedded SQL file. Everything happens in a thread of its own, in the order of the calls, and the file is
 * opened by the first of them. All methods reject with a `StateError`, and only with that.
 */
export interface Database {
  all(sql: string, values?: SqlRow): Promise<readonly SqlRow[]>;
  /** All of it in one transaction, or nothing. Gives the number of changed rows of each piece of work. */
  write(work: readonly Work[]): Promise<readonly number[]>;
  /** Ends the thread and lets go of the file; resolves when nothing is left. Calls after this reject. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Made on first need, for its owner only. */
  readonly folder: string;
  readonly clock: Clock;
  /** Told when a damaged file was set aside and a new one begun. */
  readonly onSetAside: (event: {
    readonly path: string;
    readonly setAside: string;
    readonly reason: string;
  }) => void;
  /** How long to wait for another process that holds the file. */
  readonly busyMs?: number;
  /** The thread and the file are let go of after this long without a call. */
  readonly idleMs?: number;
}

const BUSY_MS = 5_000;
const IDLE_MS = 60_000;

interface OpenFile {
  readonly path: string;
  readonly thread: Thread;
  readonly identity: bigint | undefined;
}

export function openDatabase(options: DatabaseOptions): Database {
  let opening: Promise<OpenFile> | undefined;
  let isClosed = false;

  const opened = (): Promise<OpenFile> => {
    const attempt = opening ?? openFile(options);
    opening = attempt;
    // A folder that cannot be made now may be there later.
    attempt.catch(() => {
      if (opening === attempt) opening = undefined;
    });
    return attempt;
  };
  const repaired = async (file: OpenFile, attempt: Promise<OpenFile>, reason: string): Promise<void> => {
    // Calls that wait behind the first one find the same damage; it is set aside once.
    if (opening !== attempt) return;
    opening = (async () => {
      await endAfterAnswers(file);
      const aside = await setAside(file.path, file.identity, new Date());
      if (aside !== undefined) options.onSetAside({ path: file.path, setAside: aside, reason });
      return openFile(options);
    })();
    await opened();
  };
  const request = async (body: DatabaseRequest): Promise<unknown> => {
    if (isClosed) throw new StateError('STATE_CLOSED', 'the state file is closed');
    try {
      const attempt = opened();
      const file = await attempt;
      try {
        return await file.thread.request(body);
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'STATE_DAMAGED') throw error;
        await repaired(file, attempt, (error as Error).message);
        return await (await opened()).thread.request(body);
      }
    } catch (error) {
      throw asStateError(error);
    }
  };

  return {
    all: async (sql, values = []) => (await request({ kind: 'all', sql, values })) as SqlRow[],
    write: async (work) => (await request({ kind: 'write', work })) as number[],
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      const file = await opening?.catch(() => undefined);
      if (file !== undefined) await endAfterAnswers(file);
    },
  };
}

/** What was asked for before is answered before; a fault is the file's, which is left anyway. */
async function endAfterAnswers({ thread }: OpenFile): Promise<void> {
  await thread.request({ kind: 'close' } satisfies DatabaseRequest).catch(() => undefined);
  await thread.stop();
}

async function openFile(options: DatabaseOptions): Promise<OpenFile> {
  const path = await prepareFile(options.folder);
  const data: DatabaseThreadData = { path, busyMs: options.busyMs ?? BUSY_MS };
  const module = threadModule(import.meta.url, 'state/database-worker');
  const thread = createThread({ module, data, idleMs: options.idleMs ?? IDLE_MS, clock: options.clock });
  return { path, thread, identity: await identityOf(path) };
}

function asStateError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const { code, message } = error as { code?: unknown; message: string };
  return new StateError(isStateErrorCode(code) ? code : 'STATE_FAILED', message, error);
}
