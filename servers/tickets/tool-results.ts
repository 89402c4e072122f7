import type { CallToolResult } from '@modelcontextprotocol/server';
import { describeTicket, ticketUri, type Ticket, type TicketDetail } from './ticket.ts';
import type { TicketPage } from './query.ts';

export function pageResult(page: TicketPage): CallToolResult {
  const shown = page.tickets.length;
  const head = shown === page.total ? `${page.total} tickets.` : `${shown} of ${page.total} tickets.`;
  const lines = page.tickets.map(describeTicket);
  return {
    content: [{ type: 'text', text: [page.total === 1 ? '1 ticket.' : head, ...lines].join('\n') }],
    structuredContent: { tickets: page.tickets, total: page.total },
  };
}

/** What a changing tool answers: what was done, and a link to the ticket as it now is. */
export function changedResult(did: string, detail: TicketDetail): CallToolResult {
  const { body: _body, comments: _comments, ...ticket } = detail;
  return {
    content: [{ type: 'text', text: `${did}\n${describeTicket(ticket)}` }, linkTo(ticket)],
    structuredContent: { ticket },
  };
}

function linkTo(ticket: Ticket): CallToolResult['content'][number] {
  return {
    type: 'resource_link',
    uri: ticketUri(ticket.id),
    name: ticket.id,
    title: ticket.title,
    mimeType: 'text/markdown',
  };
}
