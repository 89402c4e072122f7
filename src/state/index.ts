// What outlives a run: one embedded SQL file in the state folder, and threads for work that would block.
// In: a folder, statements with their values. Out: rows as plain values, or a StateError.
// No other room sees the SQL engine, and no statement runs on the thread that serves requests.
export { type Database, type DatabaseOptions, openDatabase } from './database.ts';
export type { SqlRow, SqlValue, Work } from './sql.ts';
export { StateError, type StateErrorCode } from './state-error.ts';
export { createThread, type Thread, type ThreadOptions } from './thread.ts';
export { serveThread } from './thread-side.ts';
export { threadModule } from './thread-module.ts';
