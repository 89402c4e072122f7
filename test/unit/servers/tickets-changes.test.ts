import { describe, expect, it, vi } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { verifies } from '../../requirements/tickets.ts';
import { runHttp, runStdio, type Running } from './tickets-peers.ts';

const transports: [name: string, run: () => Promise<Running>][] = [
  ['stdio', runStdio],
  ['http', runHttp],
];

/** Writes down every change notification, whichever way it comes. */
function recorded(client: Client): string[] {
  const seen: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void seen.push('tools'));
  client.setNotificationHandler('notifications/resources/list_changed', () => void seen.push('resources'));
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void seen.push(params.uri),
  );
  return seen;
}

const watched = 'ticket://TK-101';

/** Subscribes to one ticket and to both lists, as each era does it. */
async function watch(client: Client): Promise<void> {
  if (client.getProtocolEra() === 'legacy') await client.subscribeResource({ uri: watched });
  else {
    await client.listen({
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [watched],
    });
  }
}

describe.each(transports)('over %s', (_name, run) => {
  describe.each(['modern', 'legacy'] as const)('to a %s client', (era) => {
    it(verifies('tickets:changes:list'), async () => {
      await using server = await run();
      const client = await server.connect(era);
      const seen = recorded(client);
      await watch(client);
      const other = await server.connect('modern');

      await other.callTool({ name: 'create', arguments: { title: 'New', body: 'New.', team: 'web' } });
      await vi.waitFor(() => expect(seen).toEqual(['resources']));
      await other.callTool({ name: 'close', arguments: { id: 'TK-125' } });
      await vi.waitFor(() => expect(seen).toEqual(['resources', 'resources']));
      await other.callTool({ name: 'archive_mode', arguments: { on: true } });
      await vi.waitFor(() => expect(seen).toEqual(['resources', 'resources', 'tools']));
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('archive');
      await other.callTool({ name: 'archive_mode', arguments: { on: true } });
      await other.callTool({ name: 'archive_mode', arguments: { on: false } });
      await vi.waitFor(() => expect(seen).toEqual(['resources', 'resources', 'tools', 'tools']));
      await expect(client.callTool({ name: 'archive', arguments: {} })).rejects.toMatchObject({
        code: -32602,
      });
      expect(server.faults).toEqual([]);
    });

    it(verifies('tickets:changes:subscribed'), async () => {
      await using server = await run();
      const client = await server.connect(era);
      const seen = recorded(client);
      await watch(client);

      await client.callTool({ name: 'comment', arguments: { id: 'TK-102', body: 'Not watched.' } });
      await client.callTool({ name: 'assign', arguments: { id: 'TK-101', assignee: 'lea' } });
      await vi.waitFor(() => expect(seen).toEqual([watched]));
    });
  });

  it('no longer tells a legacy client that has unsubscribed', async () => {
    await using server = await run();
    const client = await server.connect('legacy');
    const seen = recorded(client);
    await watch(client);
    await client.unsubscribeResource({ uri: watched });
    await client.callTool({ name: 'assign', arguments: { id: 'TK-101', assignee: null } });
    await client.callTool({ name: 'archive_mode', arguments: { on: true } });
    await vi.waitFor(() => expect(seen).toEqual(['tools']));
  });

  it(verifies('tickets:export:progress'), async () => {
    await using server = await run();
    const client = await server.connect('modern');
    const seen: number[] = [];
    const result = await client.callTool(
      { name: 'export', arguments: { format: 'json', status: 'closed', pause_ms: 1 } },
      { onprogress: ({ progress, total }) => void seen.push(progress / (total ?? 0)) },
    );
    expect(seen).toEqual([1, 2, 3, 4, 5, 6].map((step) => step / 6));
    expect(result).toMatchObject({
      content: [
        { text: 'Exported 6 tickets as json.' },
        { resource: { uri: 'tickets://export/json', mimeType: 'application/json' } },
      ],
      structuredContent: { exported: 6, format: 'json' },
    });
  });

  it.each(['modern', 'legacy'] as const)(
    `${verifies('tickets:export:cancel')} by a %s client`,
    async (era) => {
      await using server = await run();
      const client = await server.connect(era);
      const asked = vi.spyOn(server.tracker.store, 'find');
      const cancel = new AbortController();
      let steps = 0;
      const call = client.callTool(
        { name: 'export', arguments: { pause_ms: 20 } },
        {
          signal: cancel.signal,
          onprogress: () => {
            steps += 1;
            if (steps === 2) cancel.abort('enough');
          },
        },
      );
      await expect(call).rejects.toThrow('enough');
      // An answer to a later request shows that the cancellation, sent before it, has arrived.
      await client.callTool({ name: 'list', arguments: { limit: 1 } });
      const stoppedAt = asked.mock.calls.length;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      expect(asked.mock.calls.length).toBe(stoppedAt);
      expect(stoppedAt).toBeLessThan(24);
    },
  );
});
