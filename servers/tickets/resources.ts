import { ResourceNotFoundError, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { exportDocument, exportFormats } from './export-format.ts';
import type { Store } from './store.ts';
import { parseId, renderTicket, ticketUri, type Ticket, type TicketDetail } from './ticket.ts';

/** Template variables arrive as the URI has them, percent-encoded. */
function decoded(value: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(value));
  } catch {
    return String(value);
  }
}

function startingWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}

/** By id and not by urgency: the order must not change unless the set does, or clients would have to be told. */
function openTickets(store: Store): Ticket[] {
  const { tickets } = store.list({ status: 'open' }, Number.MAX_SAFE_INTEGER);
  return tickets.toSorted((one, other) => (parseId(one.id) ?? 0) - (parseId(other.id) ?? 0));
}

function registerTickets(server: McpServer, store: Store): void {
  const template = new ResourceTemplate('ticket://{id}', {
    list: () => ({
      resources: openTickets(store).map(({ id, title }) => ({
        uri: ticketUri(id),
        name: id,
        title,
        description: `Open ticket ${id}: ${title}`,
      })),
    }),
    complete: { id: (typed) => startingWith(store.ids(), typed) },
  });
  server.registerResource(
    'ticket',
    template,
    {
      title: 'Ticket',
      description:
        'One ticket with its text and comments. Open tickets are listed; closed ones can be read too.',
      mimeType: 'text/markdown',
    },
    (uri, { id }) => {
      const ticket = store.find(decoded(id));
      if (ticket === undefined)
        throw new ResourceNotFoundError(uri.href, `There is no ticket at ${uri.href}`);
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: renderTicket(ticket) }] };
    },
  );
}

function registerExports(server: McpServer, store: Store): void {
  const template = new ResourceTemplate('tickets://export/{format}', {
    list: undefined,
    complete: { format: (typed) => startingWith(exportFormats, typed) },
  });
  server.registerResource(
    'export',
    template,
    {
      title: 'Export of all tickets',
      description: 'All tickets as one document, in the format csv, json or markdown.',
    },
    (uri, { format: asked }) => {
      const format = exportFormats.find((known) => known === decoded(asked));
      if (format === undefined) {
        throw new ResourceNotFoundError(uri.href, `${uri.href} is none of ${exportFormats.join(', ')}`);
      }
      const { tickets } = store.list({}, Number.MAX_SAFE_INTEGER);
      const details = tickets
        .map(({ id }) => store.find(id))
        .filter((found): found is TicketDetail => found !== undefined);
      return { contents: [{ ...exportDocument(details, format), uri: uri.href }] };
    },
  );
}

export function registerResources(server: McpServer, store: Store): void {
  server.registerResource(
    'summary',
    'tickets://summary',
    {
      title: 'Summary',
      description:
        'How many tickets are open and closed, and how the open ones spread over teams and priorities.',
      mimeType: 'application/json',
    },
    (uri) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify(store.summary(), null, 2) + '\n',
        },
      ],
    }),
  );
  registerExports(server, store);
  registerTickets(server, store);
}
