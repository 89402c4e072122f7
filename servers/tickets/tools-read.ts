import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Store } from './store.ts';
import { priorities, renderTicket, statuses, ticketDetailSchema, ticketSchema } from './ticket.ts';
import { pageResult } from './tool-results.ts';

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

const filters = {
  status: z.enum(statuses).optional().describe('Only tickets in this state; both when left out'),
  priority: z.enum(priorities).optional().describe('Only tickets of this priority'),
  team: z.string().min(1).optional().describe('Only tickets of this team, for example "web"'),
  assignee: z.string().min(1).optional().describe('Only tickets assigned to this person'),
  label: z.string().min(1).optional().describe('Only tickets that carry this label'),
};

const limit = z
  .int()
  .min(1)
  .max(MAX_LIMIT)
  .default(DEFAULT_LIMIT)
  .describe(`How many tickets to answer with, at most ${MAX_LIMIT}`);

const pageSchema = z.object({
  tickets: z.array(ticketSchema),
  total: z.int().describe('How many tickets match, shown or not'),
});

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;

/** The three tools that only look: search, list and get. */
export function registerReadTools(server: McpServer, store: Store): void {
  server.registerTool(
    'search',
    {
      title: 'Search tickets',
      description:
        'Finds tickets whose title, text or comments contain every given word. Use it when you know what a ticket is about; use list to walk through tickets by state, team or label.',
      inputSchema: z.strictObject({
        query: z.string().trim().min(1).describe('Words to look for; every one must occur'),
        ...filters,
        limit,
      }),
      outputSchema: pageSchema,
      annotations: readOnly,
    },
    ({ query, limit: most, ...filter }) => pageResult(store.search(query, filter, most)),
  );
  server.registerTool(
    'list',
    {
      title: 'List tickets',
      description:
        'Lists tickets, the most urgent first, optionally only those of a state, priority, team, assignee or label.',
      inputSchema: z.strictObject({ ...filters, limit }),
      outputSchema: pageSchema,
      annotations: readOnly,
    },
    ({ limit: most, ...filter }) => pageResult(store.list(filter, most)),
  );
  server.registerTool(
    'get',
    {
      title: 'Get one ticket',
      description: 'Returns one ticket in full, with its text and its comments.',
      inputSchema: z.strictObject({ id: z.string().describe('Ticket id, for example TK-101') }),
      outputSchema: ticketDetailSchema,
      annotations: readOnly,
    },
    ({ id }) => {
      const ticket = store.get(id);
      return { content: [{ type: 'text', text: renderTicket(ticket) }], structuredContent: { ...ticket } };
    },
  );
}
