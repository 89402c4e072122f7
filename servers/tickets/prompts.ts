import { completable, ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Store } from './store.ts';
import { describeTicket, renderTicket, ticketUri } from './ticket.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

function startingWith(values: readonly string[], typed: string): string[] {
  return values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
}

function registerTriage(server: McpServer, store: Store): void {
  server.registerPrompt(
    'triage',
    {
      title: 'Triage a ticket',
      description:
        'Asks for priority, team, labels and possible duplicates of one ticket, with the ticket attached.',
      argsSchema: z.object({
        id: completable(z.string().describe('Ticket id, for example TK-101'), (typed) =>
          startingWith(store.ids(), typed),
        ),
      }),
    },
    ({ id }) => {
      const ticket = store.find(id);
      if (ticket === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ticket "${id}"`, {
          argument: 'id',
        });
      }
      const task = [
        `Triage ${ticket.id}, which is attached.`,
        'Search for tickets on the same matter and say whether this is a duplicate.',
        'Then propose a priority, a team and labels, each with one sentence of reason. Change nothing before I agree.',
      ].join('\n');
      return {
        description: `Triage of ${ticket.id}`,
        messages: [
          { role: 'user', content: { type: 'text', text: task } },
          {
            role: 'user',
            content: {
              type: 'resource',
              resource: { uri: ticketUri(ticket.id), mimeType: 'text/markdown', text: renderTicket(ticket) },
            },
          },
        ],
      };
    },
  );
}

/** Everything that was touched in the last seven days, for one team or for all. */
function weekOf(store: Store, team: string | undefined): string {
  const since = new Date(store.now().getTime() - WEEK_MS).toISOString();
  const { tickets } = store.list({ team }, Number.MAX_SAFE_INTEGER);
  const touched = tickets.filter(({ updatedAt }) => updatedAt >= since);
  return touched.length > 0 ? touched.map((ticket) => `- ${describeTicket(ticket)}`).join('\n') : '- nothing';
}

function registerWeeklyReport(server: McpServer, store: Store): void {
  server.registerPrompt(
    'weekly_report',
    {
      title: 'Write the weekly report',
      description: 'Asks for a short report on what happened to the tickets in the last seven days.',
      argsSchema: z.object({
        team: completable(z.string().describe('Only this team; all teams when left out'), (typed) =>
          startingWith(store.teams(), typed),
        ).optional(),
      }),
    },
    ({ team }) => {
      if (team !== undefined && !store.teams().includes(team)) {
        const known = store.teams().join(', ');
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `There is no team "${team}"; there are ${known}`,
          {
            argument: 'team',
          },
        );
      }
      const scope = team === undefined ? 'all teams' : `the team ${team}`;
      const task = [
        `Write a report of at most 150 words on the tickets of ${scope} in the last seven days.`,
        'Say what was finished, what is new and what is stuck, and name the most urgent one.',
        '',
        `Tickets touched in the last seven days:\n${weekOf(store, team)}`,
      ].join('\n');
      return {
        description: `Weekly report for ${scope}`,
        messages: [{ role: 'user', content: { type: 'text', text: task } }],
      };
    },
  );
}

export function registerPrompts(server: McpServer, store: Store): void {
  registerTriage(server, store);
  registerWeeklyReport(server, store);
}
