import type Database from 'libsql';
import { listTickets } from './query.ts';
import type { StoreDeps, TicketWrites } from './store.ts';
import { formatId, parseId, type Ticket, TicketError, type TicketDetail } from './ticket.ts';

interface WriteContext {
  readonly database: Database.Database;
  readonly deps: StoreDeps;
  readonly get: (id: string) => TicketDetail;
  /** Runs one change in a transaction and tells the subscribers only after it is committed. */
  readonly change: (
    id: string,
    alsoList: boolean,
    work: (row: number, before: Ticket) => void,
  ) => TicketDetail;
}

function createContext(
  database: Database.Database,
  deps: StoreDeps,
  get: (id: string) => TicketDetail,
): WriteContext {
  return {
    database,
    deps,
    get,
    change(id, alsoList, work) {
      const before = get(id);
      const row = parseId(before.id) ?? 0;
      database.transaction(() => {
        work(row, before);
        database.prepare('UPDATE tickets SET updated_at = ? WHERE id = ?').run(deps.now().toISOString(), row);
      })();
      deps.changes.publish({ kind: 'ticket', id: before.id });
      if (alsoList) deps.changes.publish({ kind: 'ticket-list' });
      return get(before.id);
    },
  };
}

function createTextWrites({
  database,
  deps,
  get,
  change,
}: WriteContext): Pick<TicketWrites, 'create' | 'update' | 'comment'> {
  return {
    create(input) {
      const at = deps.now().toISOString();
      let row = 0;
      database.transaction(() => {
        const inserted = database
          .prepare(
            'INSERT INTO tickets (title, body, priority, team, assignee, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
          )
          .run(input.title, input.body, input.priority, input.team, input.assignee ?? null, at, at);
        row = Number(inserted.lastInsertRowid);
        addLabels(database, row, input.labels ?? []);
      })();
      deps.changes.publish({ kind: 'ticket-list' });
      return get(formatId(row));
    },
    update(id, changes) {
      return change(id, changes.title !== undefined, (row) => {
        for (const column of ['title', 'body', 'priority', 'team'] as const) {
          const value = changes[column];
          if (value === undefined) continue;
          database.prepare(`UPDATE tickets SET ${column} = ? WHERE id = ?`).run(value, row);
        }
      });
    },
    comment(id, author, body) {
      return change(id, false, (row) => {
        database
          .prepare('INSERT INTO comments (ticket_id, author, body, created_at) VALUES (?, ?, ?, ?)')
          .run(row, author, body, deps.now().toISOString());
      });
    },
  };
}

function addLabels(database: Database.Database, row: number, labels: readonly string[]): void {
  const statement = database.prepare('INSERT OR IGNORE INTO labels (ticket_id, label) VALUES (?, ?)');
  for (const label of labels) statement.run(row, label);
}

function createStateWrites({
  database,
  deps,
  change,
}: WriteContext): Omit<TicketWrites, 'create' | 'update' | 'comment'> {
  return {
    assign(id, assignee) {
      return change(id, false, (row) => {
        database.prepare('UPDATE tickets SET assignee = ? WHERE id = ?').run(assignee, row);
      });
    },
    close(id, resolution) {
      return change(id, true, (row, before) => {
        if (before.status === 'closed') throw new TicketError(`${before.id} is closed already.`);
        database
          .prepare("UPDATE tickets SET status = 'closed', resolution = ? WHERE id = ?")
          .run(resolution, row);
      });
    },
    reopen(id) {
      return change(id, true, (row, before) => {
        if (before.status === 'open') throw new TicketError(`${before.id} is open already.`);
        database.prepare("UPDATE tickets SET status = 'open', resolution = NULL WHERE id = ?").run(row);
      });
    },
    label(id, add, remove) {
      return change(id, false, (row) => {
        const drop = database.prepare('DELETE FROM labels WHERE ticket_id = ? AND label = ?');
        for (const label of remove) drop.run(row, label);
        addLabels(database, row, add);
      });
    },
    archiveClosed() {
      const closed = listTickets(database, { status: 'closed' }, Number.MAX_SAFE_INTEGER).tickets;
      database.prepare("UPDATE tickets SET archived = 1 WHERE status = 'closed'").run();
      for (const ticket of closed) deps.changes.publish({ kind: 'ticket', id: ticket.id });
      return closed.map(({ id }) => id);
    },
  };
}

export function createWrites(
  database: Database.Database,
  deps: StoreDeps,
  get: (id: string) => TicketDetail,
): TicketWrites {
  const context = createContext(database, deps, get);
  return { ...createTextWrites(context), ...createStateWrites(context) };
}
