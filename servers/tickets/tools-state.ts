import type { McpServer, RegisteredTool } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { ArchiveMode } from './archive-mode.ts';
import type { Store } from './store.ts';
import { resolutions, ticketSchema } from './ticket.ts';
import { changedResult } from './tool-results.ts';

const id = z.string().describe('Ticket id, for example TK-101');
const outputSchema = z.object({ ticket: ticketSchema });

/** Not idempotent: closing what is closed is reported as an error, since somebody else may have closed it. */
const turns = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;

export function registerStateTools(server: McpServer, store: Store): void {
  server.registerTool(
    'close',
    {
      title: 'Close a ticket',
      description: 'Closes an open ticket with a reason. It can be opened again with reopen.',
      inputSchema: z.strictObject({
        id,
        resolution: z.enum(resolutions).default('fixed').describe('Why nothing more is to be done'),
      }),
      outputSchema,
      annotations: turns,
    },
    ({ id: which, resolution }) => {
      const ticket = store.close(which, resolution);
      return changedResult(`Closed ${ticket.id} as ${resolution}.`, ticket);
    },
  );
  server.registerTool(
    'reopen',
    {
      title: 'Reopen a ticket',
      description: 'Opens a closed ticket again, with its text, comments and labels as they were.',
      inputSchema: z.strictObject({ id }),
      outputSchema,
      annotations: turns,
    },
    ({ id: which }) => {
      const ticket = store.reopen(which);
      return changedResult(`Reopened ${ticket.id}.`, ticket);
    },
  );
}

/** The switch, and the tool that exists only while it is on. The handle lets a connection follow the switch. */
export function registerArchiveTools(server: McpServer, store: Store, mode: ArchiveMode): RegisteredTool {
  server.registerTool(
    'archive_mode',
    {
      title: 'Turn archiving on or off',
      description:
        'While archiving is on there is one more tool, archive, which puts all closed tickets away for good.',
      inputSchema: z.strictObject({
        on: z.boolean().describe('true offers the archive tool, false withdraws it'),
      }),
      outputSchema: z.object({ on: z.boolean(), changed: z.boolean() }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ on }) => {
      const changed = mode.set(on);
      const state = on ? 'on' : 'off';
      return {
        content: [
          { type: 'text', text: changed ? `Archiving is now ${state}.` : `Archiving was ${state} already.` },
        ],
        structuredContent: { on, changed },
      };
    },
  );
  const archive = server.registerTool(
    'archive',
    {
      title: 'Archive closed tickets',
      description:
        'Puts every closed ticket away. They are no longer found by any tool and cannot be brought back.',
      inputSchema: z.strictObject({}),
      outputSchema: z.object({ archived: z.array(z.string()) }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    () => {
      const archived = store.archiveClosed();
      const text =
        archived.length > 0 ? `Archived ${archived.join(', ')}.` : 'There are no closed tickets to archive.';
      return { content: [{ type: 'text', text }], structuredContent: { archived } };
    },
  );
  if (!mode.isOn()) archive.disable();
  return archive;
}
