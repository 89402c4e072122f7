import type Database from 'libsql';
import { listTickets, searchTickets } from './query.ts';
import { readComment, readTicket, SELECT_TICKET } from './rows.ts';
import type { TicketReads } from './store.ts';
import { formatId, parseId, TicketError, type TicketDetail } from './ticket.ts';

function countBy(database: Database.Database, column: 'team' | 'priority'): Record<string, number> {
  const rows = database
    .prepare(
      `SELECT ${column} AS key, count(*) AS n FROM tickets WHERE status = 'open' AND archived = 0 GROUP BY ${column} ORDER BY ${column}`,
    )
    .all() as { key: string; n: number }[];
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
}

export function createReads(database: Database.Database, now: () => Date): TicketReads {
  const byId = database.prepare(`${SELECT_TICKET} WHERE t.id = ? AND t.archived = 0`);
  const commentsOf = database.prepare(
    'SELECT author, body, created_at FROM comments WHERE ticket_id = ? ORDER BY id',
  );

  function find(id: string): TicketDetail | undefined {
    const row = parseId(id);
    if (row === undefined) return undefined;
    const raw = byId.get(row);
    if (raw === undefined) return undefined;
    const { ticket, body } = readTicket(raw);
    return { ...ticket, body, comments: commentsOf.all(row).map(readComment) };
  }

  function ids(): string[] {
    const rows = database
      .prepare("SELECT id FROM tickets WHERE archived = 0 ORDER BY status = 'closed', id")
      .all() as { id: number }[];
    return rows.map(({ id }) => formatId(id));
  }

  function get(id: string): TicketDetail {
    const found = find(id);
    if (found !== undefined) return found;
    if (parseId(id) === undefined) {
      throw new TicketError(
        `"${id}" is not a ticket id. Ids look like TK-101; use search or list to find one.`,
      );
    }
    throw new TicketError(`There is no ticket ${id.trim().toUpperCase()}. Use search or list to find one.`);
  }

  return {
    find,
    get,
    ids,
    now,
    list: (filter, limit) => listTickets(database, filter, limit),
    search: (text, filter, limit) => searchTickets(database, text, filter, limit),
    teams() {
      const rows = database
        .prepare('SELECT DISTINCT team FROM tickets WHERE archived = 0 ORDER BY team')
        .all();
      return (rows as { team: string }[]).map(({ team }) => team);
    },
    summary() {
      const { total: open } = listTickets(database, { status: 'open' }, 0);
      const { total: closed } = listTickets(database, { status: 'closed' }, 0);
      return {
        open,
        closed,
        openByTeam: countBy(database, 'team'),
        openByPriority: countBy(database, 'priority'),
      };
    },
  };
}
