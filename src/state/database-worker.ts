import { workerData } from 'node:worker_threads';
import Libsql from 'libsql';

import { MIGRATIONS } from './migrations.ts';
import type { DatabaseRequest, DatabaseThreadData, SqlRow, Work } from './sql.ts';
import { StateError } from './state-error.ts';
import { serveThread } from './thread-side.ts';

type Statement = Libsql.Statement;

interface Connection {
  close(): void;
  exec(sql: string): void;
  statement(sql: string): Statement;
}

// Statements are few and written once; a caller that builds them from values would otherwise fill the memory.
const MAX_STATEMENTS = 200;

const RETRY_MS = 25;

/** Opens at the first request, so that a fault of the file is that request's answer and not the thread's end. */
let connection: Connection | undefined;

serveThread((body) => {
  const request = body as DatabaseRequest;
  try {
    if (request.kind === 'close') return close();
    connection ??= open(workerData as DatabaseThreadData);
    return answer(connection, request);
  } catch (error) {
    throw asStateError(error);
  }
});

function answer(database: Connection, request: Exclude<DatabaseRequest, { kind: 'close' }>): unknown {
  if (request.kind === 'all') return all(database, request.sql, request.values);
  return write(database, request.work);
}

function all(database: Connection, sql: string, values: SqlRow): unknown {
  const statement = database.statement(sql);
  if (statement.reader) return statement.raw().all(values);
  statement.run(values);
  return [];
}

/** The engine lets go of the file once its statements are gone, too: at the latest when the thread ends. */
function close(): undefined {
  connection?.close();
  connection = undefined;
}

function open({ path, busyMs }: DatabaseThreadData): Connection {
  const file = new Libsql(path, { timeout: busyMs });
  const statements = new Map<string, Statement>();
  const database: Connection = {
    close: () => void file.close(),
    exec: (sql) => void file.exec(sql),
    statement: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      const statement = file.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
  };
  try {
    prepare(database, path, busyMs);
    return database;
  } catch (error) {
    file.close();
    throw error;
  }
}

function prepare(database: Connection, path: string, busyMs: number): void {
  // Before anything else, because a later version's file is to stay as it is.
  assertKnown(versionOf(database), path);
  // Has to be said before the first table is made; lets a file that lost many rows become smaller.
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  insist(() => database.exec('PRAGMA journal_mode = WAL'), busyMs);
  // With a write-ahead log this survives a killed process; a power cut may cost the last few writes.
  database.exec('PRAGMA synchronous = NORMAL');
  database.exec('PRAGMA journal_size_limit = 4194304');
  migrate(database, path);
}

function assertKnown(version: number, path: string): void {
  if (version <= MIGRATIONS.length) return;
  throw new StateError(
    'STATE_NEWER',
    `${path} was written by a later version of Tollgate; use that version, or move the file away`,
  );
}

/** Another process may be opening the file, and the engine does not wait by itself for this one change. */
function insist(run: () => void, patienceMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      run();
      return;
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || waitedMs >= patienceMs) throw error;
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
}

function migrate(database: Connection, path: string): void {
  if (versionOf(database) === MIGRATIONS.length) return;
  inTransaction(database, () => {
    // Another process may have done it in the meantime.
    const version = versionOf(database);
    assertKnown(version, path);
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function versionOf(database: Connection): number {
  const [row] = database.statement('PRAGMA user_version').raw().all() as number[][];
  return row?.[0] ?? 0;
}

function write(database: Connection, work: readonly Work[]): number[] {
  return inTransaction(database, () =>
    work.map(({ sql, rows }) => {
      const statement = database.statement(sql);
      let changes = 0;
      for (const values of rows ?? [[]]) changes += statement.run(values).changes;
      return changes;
    }),
  );
}

function inTransaction<Result>(database: Connection, run: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: Connection): void {
  try {
    database.exec('ROLLBACK');
  } catch (error) {
    // Some faults end the transaction by themselves; the first one is the one to tell.
    if (codeOf(error) !== 'SQLITE_ERROR') throw error;
  }
}

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : '';
};

function asStateError(error: unknown): StateError {
  if (error instanceof StateError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return new StateError('STATE_DAMAGED', message);
  if (code.startsWith('SQLITE_BUSY')) return new StateError('STATE_BUSY', message);
  return new StateError('STATE_FAILED', message);
}
