import { describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import { verifies } from '../../requirements/tickets.ts';
import { runHttp, runStdio, type Running } from './tickets-peers.ts';

/** What all three clients can do; only their types differ. */
type Face = Pick<Client, 'listTools' | 'listResources' | 'listResourceTemplates' | 'listPrompts'> &
  Pick<Client, 'callTool' | 'readResource' | 'getPrompt' | 'complete'>;

const transports: [name: string, run: () => Promise<Running>][] = [
  ['stdio', runStdio],
  ['http', runHttp],
];

/** Server identity and cache hints belong to the modern revision's envelope and not to the answer. */
function withoutEnvelope(answer: object): unknown {
  const envelope = new Set(['_meta', 'ttlMs', 'cacheScope', 'resultType']);
  return Object.fromEntries(Object.entries(answer).filter(([key]) => !envelope.has(key)));
}

async function everything(client: Face): Promise<unknown> {
  const answers = [
    await client.listTools(),
    await client.listResources(),
    await client.listResourceTemplates(),
    await client.listPrompts(),
    await client.callTool({ name: 'search', arguments: { query: 'checkout', status: 'open' } }),
    await client.callTool({ name: 'get', arguments: { id: 'TK-107' } }),
    await client.readResource({ uri: 'ticket://TK-101' }),
    await client.readResource({ uri: 'tickets://summary' }),
    await client.getPrompt({ name: 'triage', arguments: { id: 'TK-108' } }),
    await client.getPrompt({ name: 'weekly_report' }),
    await client.complete({
      ref: { type: 'ref/resource', uri: 'ticket://{id}' },
      argument: { name: 'id', value: 'TK-12' },
    }),
    await client.complete({
      ref: { type: 'ref/prompt', name: 'weekly_report' },
      argument: { name: 'team', value: 'p' },
    }),
  ];
  return answers.map(withoutEnvelope);
}

describe.each(transports)('over %s', (_name, run) => {
  it(verifies('tickets:eras:all-clients'), async () => {
    await using server = await run();
    const modern = await server.connect('modern');
    const legacy = await server.connect('legacy');
    const first = await server.connectFirst();
    expect([modern, legacy].map((client) => client.getProtocolEra())).toEqual(['modern', 'legacy']);

    const seen = await everything(modern);
    expect(await everything(legacy)).toEqual(seen);
    expect(await everything(first as unknown as Face)).toEqual(seen);
    expect(seen).toMatchObject([
      { tools: expect.arrayContaining([expect.objectContaining({ name: 'search' })]) },
      { resources: expect.arrayContaining([expect.objectContaining({ uri: 'ticket://TK-101' })]) },
      { resourceTemplates: [{ uriTemplate: 'tickets://export/{format}' }, { uriTemplate: 'ticket://{id}' }] },
      { prompts: [{ name: 'triage' }, { name: 'weekly_report' }] },
      { structuredContent: { total: 2 } },
      { structuredContent: { id: 'TK-107', comments: [{ author: 'ines' }, { author: 'ana' }] } },
      { contents: [{ mimeType: 'text/markdown' }] },
      { contents: [{ mimeType: 'application/json' }] },
      { messages: [{}, { content: { type: 'resource', resource: { uri: 'ticket://TK-108' } } }] },
      { messages: [{ role: 'user' }] },
      { completion: { values: ['TK-120', 'TK-121', 'TK-122', 'TK-124', 'TK-123'], total: 5 } },
      { completion: { values: ['platform'] } },
    ]);
    expect(server.faults).toEqual([]);
  });

  it(verifies('tickets:tools:bad-input'), async () => {
    await using server = await run();
    const client = await server.connect('modern');
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    const cases: [name: string, args: Record<string, unknown>, says: string][] = [
      ['search', { query: '  ' }, 'query'],
      ['search', { text: 'checkout' }, 'Unrecognized key: "text"'],
      ['list', { status: 'pending' }, 'status'],
      ['get', { id: '101' }, '"101" is not a ticket id. Ids look like TK-101'],
      ['get', { id: 'tk-999' }, 'There is no ticket TK-999'],
      ['create', { title: 'No text' }, 'body'],
      ['update', { id: 'TK-101' }, 'Nothing to update'],
      ['label', { id: 'TK-101', add: ['Needs Review'] }, 'add'],
      ['close', { id: 'TK-103' }, 'TK-103 is closed already'],
      ['reopen', { id: 'TK-101' }, 'TK-101 is open already'],
    ];
    for (const [name, args, says] of cases) {
      const { isError, content } = await call(name, args);
      expect({ name, isError }).toEqual({ name, isError: true });
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining(says) }]);
    }
    await expect(call('delete', {})).rejects.toMatchObject({ code: -32602 });
  });

  it(verifies('tickets:resources:unknown'), async () => {
    await using server = await run();
    for (const client of [await server.connect('modern'), await server.connect('legacy')]) {
      for (const uri of ['ticket://TK-999', 'ticket://%zz', 'tickets://export/pdf', 'tickets://nothing']) {
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
      }
      await expect(client.getPrompt({ name: 'triage', arguments: { id: 'x' } })).rejects.toMatchObject({
        code: -32602,
      });
      const wrongTeam = client.getPrompt({ name: 'weekly_report', arguments: { team: 'sales' } });
      await expect(wrongTeam).rejects.toMatchObject({ code: -32602, data: { argument: 'team' } });
    }
  });
});

it(verifies('tickets:tools:described'), async () => {
  await using server = await runHttp();
  const client = await server.connect('modern');
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();

  const described = [...tools, ...prompts, ...resources, ...resourceTemplates];
  expect(described.filter(({ description }) => (description ?? '').length < 20)).toEqual([]);
  expect(tools.filter(({ outputSchema, annotations }) => !outputSchema || !annotations)).toEqual([]);
  const properties = tools.flatMap((tool) => Object.values(tool.inputSchema.properties ?? {}));
  expect(properties.filter((property) => !('description' in (property as object)))).toEqual([]);
  const namesOf = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name);
  expect(namesOf('readOnlyHint')).toEqual(['search', 'list', 'get', 'export']);
  expect(namesOf('destructiveHint')).toEqual(['update']);
  expect(namesOf('idempotentHint')).toEqual(['update', 'assign', 'label', 'archive_mode']);
});

it('carries a ticket from its creation to its archive', async () => {
  await using server = await runHttp();
  const client = await server.connect('modern');
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    expect(result.isError).toBeUndefined();
    return result;
  };
  const created = await call('create', { title: 'Tea is cold', body: 'Since Monday.', team: 'support' });
  expect(created).toMatchObject({
    content: [{ type: 'text' }, { type: 'resource_link', uri: 'ticket://TK-125' }],
    structuredContent: { ticket: { id: 'TK-125', status: 'open', priority: 'normal', createdAt: NOW_TEXT } },
  });
  await call('update', { id: 'TK-125', priority: 'urgent', title: 'Tea is stone cold' });
  await call('assign', { id: 'tk-125', assignee: 'ana' });
  await call('label', { id: 'TK-125', add: ['tea', 'bug'], remove: [] });
  await call('label', { id: 'TK-125', remove: ['bug'] });
  await call('comment', { id: 'TK-125', body: 'The kettle is broken.', author: 'lea' });
  expect(await call('search', { query: 'KETTLE tea' })).toMatchObject({ structuredContent: { total: 1 } });
  await call('close', { id: 'TK-125', resolution: 'wont_fix' });
  await call('reopen', { id: 'TK-125' });
  await call('close', { id: 'TK-125' });
  expect(await call('get', { id: 'TK-125' })).toMatchObject({
    structuredContent: {
      title: 'Tea is stone cold',
      status: 'closed',
      resolution: 'fixed',
      priority: 'urgent',
      assignee: 'ana',
      labels: ['tea'],
      body: 'Since Monday.',
      comments: [{ author: 'lea', body: 'The kettle is broken.', createdAt: NOW_TEXT }],
    },
  });
  await call('archive_mode', { on: true });
  const { structuredContent } = await call('archive');
  expect((structuredContent as { archived: string[] }).archived).toContain('TK-125');
  expect(await client.callTool({ name: 'get', arguments: { id: 'TK-125' } })).toMatchObject({
    isError: true,
  });
  expect(await call('list', { status: 'closed' })).toMatchObject({ structuredContent: { total: 0 } });
});

const NOW_TEXT = '2026-06-01T12:00:00.000Z';
