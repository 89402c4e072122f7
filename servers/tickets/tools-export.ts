import { setTimeout as delay } from 'node:timers/promises';
import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import { exportDocument, exportFormats } from './export-format.ts';
import type { Store } from './store.ts';
import { statuses, type TicketDetail } from './ticket.ts';

const DEFAULT_PAUSE_MS = 20;
const MAX_PAUSE_MS = 5_000;

/** Sends one progress notification, if the caller asked for progress at all. */
async function report(
  context: ServerContext,
  progress: number,
  total: number,
  message: string,
): Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await context.mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress, total, message },
  });
}

/** Reads the tickets one by one, in steps that a cancellation ends at once. */
async function collect(store: Store, ids: readonly string[], pauseMs: number, context: ServerContext) {
  const { signal } = context.mcpReq;
  const tickets: TicketDetail[] = [];
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted();
    const ticket = store.find(id);
    if (ticket !== undefined) tickets.push(ticket);
    await report(context, index + 1, ids.length, `Exported ${id}`);
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal });
  }
  return tickets;
}

export function registerExportTool(server: McpServer, store: Store): void {
  server.registerTool(
    'export',
    {
      title: 'Export tickets',
      description:
        'Writes all tickets, or those of one state, into one document. Takes a while: it reports progress after each ticket and can be cancelled.',
      inputSchema: z.strictObject({
        format: z.enum(exportFormats).default('csv').describe('Kind of document'),
        status: z.enum(statuses).optional().describe('Only tickets in this state; both when left out'),
        pause_ms: z
          .int()
          .min(0)
          .max(MAX_PAUSE_MS)
          .default(DEFAULT_PAUSE_MS)
          .describe('Milliseconds to wait after each ticket, so that others are not slowed down'),
      }),
      outputSchema: z.object({ exported: z.int(), format: z.enum(exportFormats) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ format, status, pause_ms: pauseMs }, context) => {
      const { tickets: chosen } = store.list({ status }, Number.MAX_SAFE_INTEGER);
      const ids = chosen.map(({ id }) => id);
      const tickets = await collect(store, ids, pauseMs, context);
      return {
        content: [
          { type: 'text', text: `Exported ${tickets.length} tickets as ${format}.` },
          { type: 'resource', resource: { ...exportDocument(tickets, format) } },
        ],
        structuredContent: { exported: tickets.length, format },
      };
    },
  );
}
