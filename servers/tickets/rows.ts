import * as z from 'zod/v4';
import { formatId, priorities, resolutions, statuses, type Comment, type Ticket } from './ticket.ts';

/** Rows are checked on the way out: a database file may have been written by anything. */
const rowSchema = z.object({
  id: z.number(),
  title: z.string(),
  body: z.string(),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  team: z.string(),
  assignee: z.string().nullable(),
  resolution: z.enum(resolutions).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  labels: z.string().nullable(),
});

const commentSchema = z.object({ author: z.string(), body: z.string(), created_at: z.string() });

/** Selects what `readTicket` needs. Label order is fixed, so that equal tickets give equal bytes. */
export const SELECT_TICKET = `
  SELECT t.*, (
    SELECT group_concat(label, char(10)) FROM (SELECT label FROM labels WHERE ticket_id = t.id ORDER BY label)
  ) AS labels
  FROM tickets t
`;

export interface ReadTicket {
  readonly ticket: Ticket;
  readonly body: string;
}

export function readTicket(raw: unknown): ReadTicket {
  const row = rowSchema.parse(raw);
  const ticket: Ticket = {
    id: formatId(row.id),
    title: row.title,
    status: row.status,
    priority: row.priority,
    team: row.team,
    assignee: row.assignee,
    labels: row.labels === null ? [] : row.labels.split('\n'),
    resolution: row.resolution,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { ticket, body: row.body };
}

export function readComment(raw: unknown): Comment {
  const row = commentSchema.parse(raw);
  return { author: row.author, body: row.body, createdAt: row.created_at };
}
