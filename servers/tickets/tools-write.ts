import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Store } from './store.ts';
import { priorities, TicketError, ticketSchema } from './ticket.ts';
import { changedResult } from './tool-results.ts';

const id = z.string().describe('Ticket id, for example TK-101');
const title = z.string().trim().min(1).max(200);
const body = z.string().trim().min(1).max(20_000);
const team = z.string().trim().min(1).max(40);
const person = z.string().trim().min(1).max(80);
const label = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
  .describe('Lower case letters, digits and hyphens, for example "needs-review"');

const outputSchema = z.object({ ticket: ticketSchema });

const adds = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;
const overwrites = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
} as const;
const sets = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The tools that write a ticket's own text: create and update. */
export function registerTextTools(server: McpServer, store: Store): void {
  server.registerTool(
    'create',
    {
      title: 'Create a ticket',
      description:
        'Opens a new ticket and returns it with its id. Search first: the problem may be known already.',
      inputSchema: z.strictObject({
        title: title.describe('One line that says what is wrong or wanted'),
        body: body.describe('What happens, what should happen, and how to see it'),
        team: team.describe('Team that should look at it, for example "web"'),
        priority: z.enum(priorities).default('normal').describe('How soon it matters'),
        assignee: person.optional().describe('Person who takes it; nobody when left out'),
        labels: z.array(label).max(10).optional().describe('Labels to start with'),
      }),
      outputSchema,
      annotations: adds,
    },
    (input) => {
      const ticket = store.create(input);
      return changedResult(`Created ${ticket.id}.`, ticket);
    },
  );
  server.registerTool(
    'update',
    {
      title: 'Update a ticket',
      description:
        'Replaces the title, text, priority or team of a ticket. What is left out stays as it is. To add a remark use comment, to change the person use assign, to change the state use close or reopen.',
      inputSchema: z.strictObject({
        id,
        title: title.optional().describe('New title'),
        body: body.optional().describe('New text; the old one is lost'),
        priority: z.enum(priorities).optional().describe('New priority'),
        team: team.optional().describe('Team to hand it to'),
      }),
      outputSchema,
      annotations: overwrites,
    },
    ({ id: which, ...changes }) => {
      const named = Object.entries(changes).flatMap(([field, value]) => (value === undefined ? [] : [field]));
      if (named.length === 0)
        throw new TicketError('Nothing to update: give a title, body, priority or team.');
      const ticket = store.update(which, changes);
      return changedResult(`Updated ${named.join(', ')} of ${ticket.id}.`, ticket);
    },
  );
}

/** Apart from the other two: it adds to a ticket and replaces nothing. */
export function registerCommentTool(server: McpServer, store: Store): void {
  server.registerTool(
    'comment',
    {
      title: 'Comment on a ticket',
      description: 'Adds a comment under a ticket. Nothing that was there is changed.',
      inputSchema: z.strictObject({
        id,
        body: body.describe('The comment, in Markdown'),
        author: person.default('guest').describe('Name to put on the comment'),
      }),
      outputSchema,
      annotations: adds,
    },
    ({ id: which, body: text, author }) => {
      const ticket = store.comment(which, author, text);
      return changedResult(`Added a comment to ${ticket.id}; it has ${ticket.comments.length}.`, ticket);
    },
  );
}

/** The tools that move a ticket along without touching its text: assign and label. */
export function registerSortingTools(server: McpServer, store: Store): void {
  server.registerTool(
    'assign',
    {
      title: 'Assign a ticket',
      description: 'Gives a ticket to a person, or to nobody.',
      inputSchema: z.strictObject({
        id,
        assignee: person.nullable().describe('Person who takes it; null takes it away from whoever has it'),
      }),
      outputSchema,
      annotations: sets,
    },
    ({ id: which, assignee }) => {
      const ticket = store.assign(which, assignee);
      return changedResult(`${ticket.id} is now assigned to ${ticket.assignee ?? 'nobody'}.`, ticket);
    },
  );
  server.registerTool(
    'label',
    {
      title: 'Label a ticket',
      description: 'Adds labels to a ticket and takes others away.',
      inputSchema: z.strictObject({
        id,
        add: z.array(label).max(10).default([]).describe('Labels to add'),
        remove: z.array(label).max(10).default([]).describe('Labels to take away'),
      }),
      outputSchema,
      annotations: sets,
    },
    ({ id: which, add, remove }) => {
      if (add.length + remove.length === 0)
        throw new TicketError('Nothing to do: give labels to add or to remove.');
      const ticket = store.label(which, add, remove);
      return changedResult(`${ticket.id} carries ${ticket.labels.join(', ') || 'no labels'}.`, ticket);
    },
  );
}
