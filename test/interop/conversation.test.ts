import { describe, expect, it, vi } from 'vitest';
import { Client, type Transport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Target } from './ask.ts';
import { serveFirst } from './foreign-servers.ts';
import { connectSecond } from './peers/sdk-second.ts';
import { tickets } from './own-servers.ts';
import { entryFor, startGateway, writeConfig } from './processes.ts';

const namespace = 'first';

function transportTo(target: Target): Transport {
  if (target.kind === 'stdio') {
    const { command, args, cwd } = target;
    return new StdioClientTransport({ command, args: [...args], cwd, stderr: 'ignore' });
  }
  return new StreamableHTTPClientTransport(new URL(target.url));
}

interface Host extends AsyncDisposable {
  readonly client: Client;
  readonly heard: string[];
  call(name: string, args?: Record<string, unknown>): ReturnType<Client['callTool']>;
}

/** A legacy host that can be asked things, in the middle of its own calls. */
async function connectHost(target: Target, prefix: string): Promise<Host> {
  const heard: string[] = [];
  const client = new Client(
    { name: 'host', version: '1' },
    { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: {}, sampling: {} } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    heard.push(params.message);
    return { action: 'accept', content: { city: 'Bern' } };
  });
  client.setRequestHandler('sampling/createMessage', ({ params }) => {
    heard.push(`at most ${params.maxTokens}`);
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'Lima' } };
  });
  client.setNotificationHandler(
    'notifications/message',
    ({ params }) => void heard.push(String(params.data)),
  );
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools changed'));
  await client.connect(transportTo(target));
  return {
    client,
    heard,
    call: (name, args = {}) => client.callTool({ name: prefix + name, arguments: args }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** What happens between a host and the server in both directions, in order. */
async function converse(host: Host): Promise<unknown[]> {
  const steps: number[] = [];
  const counted = await host.client.callTool(
    {
      name: (await host.client.listTools()).tools.find(({ name }) => name.endsWith('count'))?.name ?? '',
      arguments: { to: 3 },
    },
    { onprogress: ({ progress }) => void steps.push(progress) },
  );
  const asked = await host.call('ask');
  const thought = await host.call('think');
  const logged = await host.call('log');
  await vi.waitFor(() => expect(host.heard).toContain('Take care'));
  // A gateway may have spoken of its list before, while it learned what is behind it; only what follows counts.
  const before = host.heard.filter((heard) => heard !== 'tools changed');
  host.heard.length = 0;
  const grown = await host.call('grow');
  await vi.waitFor(() => expect(host.heard).toEqual(['tools changed']), { timeout: 5_000 });
  const found = await host.call('grown');
  return [counted, steps, asked, thought, logged, grown, found, before].map(
    (seen) => JSON.parse(JSON.stringify(seen)) as unknown,
  );
}

describe.each(['http', 'stdio'] as const)('over %s, between a legacy host and an SDK v1 server,', (kind) => {
  it('questions, samples, log lines, progress and list changes pass as they do without the gateway', async () => {
    let direct: unknown[];
    {
      await using service = await serveFirst(kind);
      await using host = await connectHost(service.target, '');
      direct = await converse(host);
    }
    await using service = await serveFirst(kind);
    const servers = { [namespace]: entryFor(service.target) };
    await using config = await writeConfig(servers);
    await using gateway = kind === 'http' ? await startGateway(servers) : undefined;
    await using host = await connectHost(gateway?.target ?? config.stdio, `${namespace}__`);
    expect(await converse(host)).toEqual(direct);
    expect(direct[7]).toEqual(['Which city?', 'at most 10', 'Take care']);
  });
});

describe.each(['auto', 'legacy'] as const)('a host that is %s', (mode) => {
  it('hears of a changed ticket, of changed lists and of progress through the gateway', async () => {
    await using gateway = await startGateway({ tickets: entryFor(tickets.stdio) });
    const client = await connectSecond(gateway.target, mode);
    try {
      const heard: string[] = [];
      const watched = 'ticket://TK-101';
      client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
      client.setNotificationHandler(
        'notifications/resources/list_changed',
        () => void heard.push('resources'),
      );
      client.setNotificationHandler(
        'notifications/resources/updated',
        ({ params }) => void heard.push(params.uri),
      );
      await client.listTools();
      if (mode === 'legacy') await client.subscribeResource({ uri: watched });
      else {
        await client.listen({
          toolsListChanged: true,
          resourcesListChanged: true,
          resourceSubscriptions: [watched],
        });
      }
      const call = (name: string, args: Record<string, unknown>) =>
        client.callTool({ name: `tickets__${name}`, arguments: args });

      await call('assign', { id: 'TK-101', assignee: 'lea' });
      await vi.waitFor(() => expect(heard).toEqual([watched]), { timeout: 5_000 });
      await call('close', { id: 'TK-102' });
      await vi.waitFor(() => expect(heard).toEqual([watched, 'resources']), { timeout: 5_000 });
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).not.toContain('ticket://TK-102');
      await call('archive_mode', { on: true });
      await vi.waitFor(() => expect(heard).toEqual([watched, 'resources', 'tools']), { timeout: 5_000 });
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('tickets__archive');

      const steps: (number | undefined)[] = [];
      await client.callTool(
        { name: 'tickets__export', arguments: { status: 'closed', pause_ms: 1 } },
        { onprogress: ({ progress, total }) => void steps.push(progress, total) },
      );
      expect(steps).toEqual([1, 7, 2, 7, 3, 7, 4, 7, 5, 7, 6, 7, 7, 7]);
    } finally {
      await client.close();
    }
  });

  it('ends a call of the server behind by cancelling its own', async () => {
    await using gateway = await startGateway({ tickets: entryFor(tickets.stdio) });
    const client = await connectSecond(gateway.target, mode);
    try {
      const cancel = new AbortController();
      let steps = 0;
      const call = client.callTool(
        { name: 'tickets__export', arguments: { pause_ms: 200 } },
        {
          signal: cancel.signal,
          onprogress: () => {
            steps += 1;
            if (steps === 2) cancel.abort('enough');
          },
        },
      );
      await expect(call).rejects.toThrow('enough');
      // The server is free for others, and the cancelled call makes no more progress.
      await client.callTool({ name: 'tickets__list', arguments: { limit: 1 } });
      expect(steps).toBe(2);
    } finally {
      await client.close();
    }
  });
});
