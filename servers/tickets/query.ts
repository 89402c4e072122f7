import type Database from 'libsql';
import { readTicket, SELECT_TICKET } from './rows.ts';
import type { Priority, Status, Ticket } from './ticket.ts';

export interface TicketFilter {
  status?: Status | undefined;
  priority?: Priority | undefined;
  team?: string | undefined;
  assignee?: string | undefined;
  label?: string | undefined;
}

export interface TicketPage {
  tickets: Ticket[];
  total: number;
}

interface Condition {
  sql: string;
  values: string[];
}

function conditionsOf(filter: TicketFilter): Condition[] {
  const conditions: Condition[] = [{ sql: 't.archived = 0', values: [] }];
  for (const column of ['status', 'priority', 'team', 'assignee'] as const) {
    const value = filter[column];
    if (value !== undefined) conditions.push({ sql: `t.${column} = ?`, values: [value] });
  }
  if (filter.label !== undefined) {
    conditions.push({
      sql: 'EXISTS (SELECT 1 FROM labels WHERE ticket_id = t.id AND label = ?)',
      values: [filter.label],
    });
  }
  return conditions;
}

/** `%` and `_` in what a person searches for are meant literally. */
function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

function matching(word: string): Condition {
  const pattern = containing(word);
  const anywhere = [
    "t.title LIKE ? ESCAPE '\\'",
    "t.body LIKE ? ESCAPE '\\'",
    "EXISTS (SELECT 1 FROM comments WHERE ticket_id = t.id AND body LIKE ? ESCAPE '\\')",
  ];
  return { sql: `(${anywhere.join(' OR ')})`, values: [pattern, pattern, pattern] };
}

const BY_URGENCY =
  "CASE t.priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'normal' THEN 2 ELSE 3 END, t.id";

function page(
  database: Database.Database,
  conditions: readonly Condition[],
  order: Condition,
  limit: number,
): TicketPage {
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const values = conditions.flatMap((condition) => condition.values);
  const rows = database
    .prepare(`${SELECT_TICKET} WHERE ${where} ORDER BY ${order.sql} LIMIT ?`)
    .all(...values, ...order.values, limit);
  const count = database.prepare(`SELECT count(*) AS n FROM tickets t WHERE ${where}`).get(...values) as {
    n: number;
  };
  return { tickets: rows.map((row) => readTicket(row).ticket), total: count.n };
}

/** Most urgent first, oldest first within a priority. */
export function listTickets(database: Database.Database, filter: TicketFilter, limit: number): TicketPage {
  return page(database, conditionsOf(filter), { sql: BY_URGENCY, values: [] }, limit);
}

/** Every word must occur in the title, the body or a comment; tickets with the whole text in the title come first. */
export function searchTickets(
  database: Database.Database,
  text: string,
  filter: TicketFilter,
  limit: number,
): TicketPage {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const conditions = [...conditionsOf(filter), ...words.map(matching)];
  const order = {
    sql: `t.title NOT LIKE ? ESCAPE '\\', ${BY_URGENCY}`,
    values: [containing(words.join(' '))],
  };
  return page(database, conditions, order, limit);
}
