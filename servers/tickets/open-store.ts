import Database from 'libsql';
import { createReads } from './reads.ts';
import { prepareSchema } from './schema.ts';
import type { Store, StoreDeps } from './store.ts';
import { createWrites } from './writes.ts';

/** Opens the database and makes its tables. The caller disposes of it. */
export function createStore(deps: StoreDeps): Store {
  const database = new Database(deps.file);
  prepareSchema(database);
  const reads = createReads(database, deps.now);
  const writes = createWrites(database, deps, (id) => reads.get(id));
  return { ...reads, ...writes, dispose: () => void database.close() };
}
