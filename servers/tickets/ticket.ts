import * as z from 'zod/v4';

export const statuses = ['open', 'closed'] as const;
export const priorities = ['low', 'normal', 'high', 'urgent'] as const;
export const resolutions = ['fixed', 'duplicate', 'wont_fix', 'cannot_reproduce'] as const;

export type Status = (typeof statuses)[number];
export type Priority = (typeof priorities)[number];
export type Resolution = (typeof resolutions)[number];

export interface Ticket {
  id: string;
  title: string;
  status: Status;
  priority: Priority;
  team: string;
  assignee: string | null;
  labels: string[];
  resolution: Resolution | null;
  createdAt: string;
  updatedAt: string;
}

export interface Comment {
  author: string;
  body: string;
  createdAt: string;
}

export interface TicketDetail extends Ticket {
  body: string;
  comments: Comment[];
}

/** The caller's mistake, worded for whoever reads the tool result. */
export class TicketError extends Error {
  override readonly name = 'TicketError';
}

export const ticketSchema: z.ZodType<Ticket> = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  team: z.string(),
  assignee: z.string().nullable(),
  labels: z.array(z.string()),
  resolution: z.enum(resolutions).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

export const ticketDetailSchema: z.ZodType<TicketDetail> = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  team: z.string(),
  assignee: z.string().nullable(),
  labels: z.array(z.string()),
  resolution: z.enum(resolutions).nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  body: z.string(),
  comments: z.array(z.object({ author: z.string(), body: z.string(), createdAt: z.string() })),
});

const ID_PREFIX = 'TK-';

export function ticketUri(id: string): string {
  return `ticket://${id}`;
}

export function formatId(row: number): string {
  return `${ID_PREFIX}${row}`;
}

/** The row behind an id such as `TK-101`, or undefined when the text is no ticket id at all. */
export function parseId(id: string): number | undefined {
  const match = /^TK-([1-9]\d{0,8})$/i.exec(id.trim());
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** One line, as lists and search results show a ticket. */
export function describeTicket(ticket: Ticket): string {
  const owner = ticket.assignee ?? 'nobody';
  const labels = ticket.labels.length > 0 ? ` [${ticket.labels.join(', ')}]` : '';
  const state = ticket.resolution === null ? ticket.status : `${ticket.status}: ${ticket.resolution}`;
  return `${ticket.id} ${ticket.title} (${state}, ${ticket.priority}, ${ticket.team}, ${owner})${labels}`;
}

export function renderTicket(ticket: TicketDetail): string {
  const facts = [
    `- Status: ${ticket.status}${ticket.resolution === null ? '' : ` (${ticket.resolution})`}`,
    `- Priority: ${ticket.priority}`,
    `- Team: ${ticket.team}`,
    `- Assignee: ${ticket.assignee ?? 'nobody'}`,
    `- Labels: ${ticket.labels.join(', ') || 'none'}`,
    `- Created: ${ticket.createdAt}`,
    `- Updated: ${ticket.updatedAt}`,
  ];
  const comments = ticket.comments.map(
    ({ author, createdAt, body }) => `### ${author}, ${createdAt}\n\n${body}`,
  );
  const discussion = comments.length > 0 ? ['## Comments', ...comments] : [];
  return (
    [`# ${ticket.id}: ${ticket.title}`, facts.join('\n'), ticket.body, ...discussion].join('\n\n') + '\n'
  );
}
