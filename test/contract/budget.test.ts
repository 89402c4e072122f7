import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import {
  askModern,
  connectLegacy,
  envelope,
  modernHeaders,
  openModern,
  sendModern,
  textOf,
} from '../helpers/hosts.ts';
import {
  answerWith,
  type ModernUpstream,
  startModernUpstream,
  streamOn,
} from '../helpers/modern-upstream.ts';
import { exchange, type Message } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/exposure.ts';

type Fields = Readonly<Record<string, unknown>>;

const object = (properties: Fields, required: readonly string[] = []): Fields => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

interface ListResult {
  readonly tools: readonly { readonly name: string }[];
  readonly _meta: Readonly<Record<string, unknown>>;
}

const FAR_TOOLS = [
  { name: 'weigh', description: 'Weighs a parcel.', inputSchema: { type: 'object' } },
  {
    name: 'ship',
    description: 'Ships a parcel to a town.',
    inputSchema: object(
      {
        town: { type: 'string', 'x-mcp-header': 'Town' },
        count: { type: 'integer' },
        note: { type: 'string' },
      },
      ['town', 'count'],
    ),
  },
  { name: 'ask', description: 'Asks the sender.', inputSchema: { type: 'object' } },
  { name: 'stream', description: 'Tells how far a parcel is.', inputSchema: { type: 'object' } },
  { name: 'hang', description: 'Waits for a parcel.', inputSchema: { type: 'object' } },
  {
    name: 'secret',
    description: 'Opens a parcel.',
    inputSchema: object({ town: { type: 'string' } }, ['town']),
  },
];

let upstream: ModernUpstream;
let started: StartedGateway;
beforeAll(async () => {
  upstream = await startModernUpstream({
    tools: FAR_TOOLS,
    answer: ({ message: { id, params } }, res) => {
      if (params['name'] === 'hang') return;
      if (params['name'] === 'stream') {
        const send = streamOn(res);
        const progressToken = (params['_meta'] as Fields)['progressToken'];
        send({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        send({ id, result: { resultType: 'complete', content: [{ type: 'text', text: 'there' }] } });
        res.end();
        return;
      }
      const asks =
        '{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create"}},"requestState":"s"}';
      const done = '{"resultType":"complete","content":[{"type":"text","text":"done"}],"x":1.0e2}';
      const isAsking = params['name'] === 'ask' && params['inputResponses'] === undefined;
      answerWith(res, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${isAsking ? asks : done}}`);
    },
  });
  started = await startGateway(
    { far: { url: upstream.url, tools: { deny: ['secret'] } }, raw: rawServer() },
    { exposure: { mode: 'search', budget: 400, pin: ['far__weigh', 'raw__echo'] } },
  );
  await started.gateway.settled();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const callTool = (args: Fields): Promise<Message> =>
  askModern(started.url, 'tools/call', { name: 'call_tool', arguments: args });
const search = (args: Fields): Promise<Message> =>
  askModern(started.url, 'tools/call', { name: 'search_tools', arguments: args });
const toolsText = (body: string): string => /"tools":\[.*\],"_meta"/.exec(body)?.[0] ?? '';

async function listText(): Promise<string> {
  const { body } = await exchange(started.url, {
    headers: modernHeaders('tools/list'),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } }),
  });
  return body;
}

describe('the list', () => {
  it(verifies('exposure:search:list'), async () => {
    const text = await listText();
    const { tools, _meta } = (JSON.parse(text) as { readonly result: ListResult }).result;
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool', 'far__weigh', 'raw__echo']);
    expect(_meta['dev.tollgate/exposure']).toMatchObject({
      mode: 'search',
      reason: 'the configuration asks for search',
      tokenizer: 'o200k_base',
      budget: 400,
      visible: FAR_TOOLS.length - 1 + 14,
    });
    const host = await connectLegacy(started.url);
    const legacy = await exchange(started.url, {
      headers: host.headers,
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(toolsText(text)).not.toBe('');
    expect(toolsText(legacy.body)).toBe(toolsText(text));
    // Nothing that is searched, called or missed changes the list.
    await search({ query: 'ship a parcel' });
    await callTool({ name: 'far__ship', arguments: { town: 'a', count: 1 } });
    await callTool({ name: 'far__none' });
    expect(await listText()).toBe(text);
    await host.end();
  });
});

describe('a call through the meta-tool', () => {
  it(verifies('exposure:call:bytes'), async () => {
    const args = '{ "count" : 12345678901234567890, "town":"k\\u00f6ln", "note":"\\ud83d\\ude00" }';
    const body =
      `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"unknown":[1.0],"arguments":{"arguments":${args},"name":"far__ship"},` +
      `"name":"call_tool","_meta":${JSON.stringify(envelope({ progressToken: 7 }))}}}`;
    const answer = await exchange(started.url, {
      headers: modernHeaders('tools/call', { name: 'call_tool' }),
      body,
    });
    // What the server said arrives as it came, and so did what it was sent.
    expect(answer.body).toContain('"x":1.0e2');
    expect((JSON.parse(answer.body) as Message).id).toBe('a');
    const seen = upstream.seen.at(-1);
    expect(seen?.body).toContain(`"unknown":[1.0],"arguments":${args},"name":"ship"`);
    expect(seen?.headers['mcp-name']).toBe('ship');
    expect(seen?.headers['mcp-param-town']).toBe('=?base64?a8O2bG4=?=');
    expect(seen?.message.params['_meta']).toMatchObject({ progressToken: 7 });
  });

  it(verifies('exposure:call:as-direct'), async () => {
    const params = { name: 'call_tool', arguments: { name: 'far__stream' } };
    const streamed = await openModern(started.url, 'tools/call', params, { meta: { progressToken: 'p' } });
    await streamed.ended;
    expect(streamed.messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
    const asked = await callTool({ name: 'far__ask', arguments: {} });
    expect(asked.result).toMatchObject({ resultType: 'input_required', requestState: 's' });
    const again = await askModern(started.url, 'tools/call', {
      name: 'call_tool',
      arguments: { name: 'far__ask', arguments: {} },
      inputResponses: { q: { action: 'accept' } },
      requestState: 's',
    });
    expect(again.result).toMatchObject({ resultType: 'complete' });
    expect(upstream.seen.at(-1)?.message.params).toMatchObject({ name: 'ask', requestState: 's' });
    const hanging = sendModern(started.url, 'tools/call', {
      name: 'call_tool',
      arguments: { name: 'far__hang' },
    });
    await expect.poll(() => upstream.seen.at(-1)?.message.params['name']).toBe('hang');
    const left = hanging.answer.catch(() => undefined);
    hanging.leave();
    await left;
    await expect.poll(() => upstream.seen.at(-1)?.hasLeft).toBe(true);
    // Handshake servers and hosts go the same way.
    const host = await connectLegacy(started.url);
    const echoed = await host.ask('tools/call', {
      name: 'call_tool',
      arguments: { name: 'raw__echo', arguments: { said: 'x' } },
    });
    expect(textOf(echoed)).toContain('"arguments":{"said":"x"}');
    expect(textOf(echoed)).toContain('"name":"echo"');
    await host.end();
  });

  it(verifies('exposure:call:any-visible'), async () => {
    // Never listed, never found: from any connection, by either way.
    const args = { town: 'a', count: 1 };
    expect(
      (await askModern(started.url, 'tools/call', { name: 'raw__echo', arguments: {} })).error,
    ).toBeUndefined();
    const direct = await exchange(started.url, {
      headers: { ...modernHeaders('tools/call', { name: 'far__ship' }), 'mcp-param-town': 'a' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { _meta: envelope(), name: 'far__ship', arguments: args },
      }),
    });
    expect(direct.body).toContain('"text":"done"');
    expect(textOf(await callTool({ name: 'far__ship', arguments: args }))).toBe('done');
  });

  it(verifies('exposure:call:corrects'), async () => {
    const before = upstream.seen.length;
    const refused = await callTool({ name: 'far__ship', arguments: { count: '3', twon: 'a' } });
    expect(refused.result).toMatchObject({ resultType: 'complete', isError: true });
    const [first, second] = textOf(refused).split('\n');
    expect(first).toBe(
      'The arguments do not fit far__ship: "town" is missing; "count" must be integer; "twon" is not known.',
    );
    expect(JSON.parse((second ?? '').replace('inputSchema: ', ''))).toEqual(FAR_TOOLS[1]?.inputSchema);
    for (const [args, says] of [
      [{ name: 'far__ship', arguments: '{}' }, '"arguments" must be an object'],
      [{ name: 'far__ship', town: 'a' }, 'put "town" inside "arguments"'],
      [{ arguments: {} }, '"name" must be the name of a tool'],
    ] as const) {
      const answer = await callTool(args);
      expect(answer.result?.['isError']).toBe(true);
      expect(textOf(answer)).toContain(says);
    }
    expect(upstream.seen.length).toBe(before);
  });

  it(verifies('exposure:call:near-names'), async () => {
    for (const [name, near] of [
      ['far__shipp', 'far__ship'],
      ['ship', 'far__ship'],
      ['FAR__SHIP', 'far__ship'],
    ] as const) {
      const answer = await callTool({ name, arguments: {} });
      expect(answer.result?.['isError']).toBe(true);
      expect(textOf(answer)).toMatch(new RegExp(`^No tool is called "${name}"\\. Near it: .*${near}`));
    }
    // What is hidden answers as what does not exist, is suggested to nobody and found by nobody.
    const hidden = textOf(await callTool({ name: 'far__secret', arguments: {} }));
    const absent = textOf(await callTool({ name: 'far__sekret', arguments: {} }));
    expect(hidden.replaceAll('far__secret', '…')).toBe(absent.replaceAll('far__sekret', '…'));
    for (const query of ['far__secret', 'secret', 'opens a parcel'])
      expect(JSON.stringify((await search({ query, limit: 50 })).result)).not.toContain('far__secret');
    expect(upstream.seen.some(({ message }) => message.params['name'] === 'secret')).toBe(false);
  });
});

describe('a search', () => {
  it(verifies('exposure:search:answers'), async () => {
    const found = await search({ query: 'ship a parcel to a town' });
    expect(found.result?.['structuredContent']).toMatchObject({
      tools: [
        { name: 'far__ship', inputSchema: FAR_TOOLS[1]?.inputSchema },
        { name: 'far__weigh', description: 'Weighs a parcel.' },
        { name: 'far__hang', signature: 'far__hang() - Waits for a parcel.' },
        { name: 'far__stream' },
      ],
    });
    expect(textOf(found)).toContain(JSON.stringify(FAR_TOOLS[1]?.inputSchema));
    const names = await search({ queries: ['weigh', 'echo'], detail: 'names', limit: 2 });
    expect(textOf(names).split('\n').slice(0, 2)).toEqual(['far__weigh', 'raw__echo']);
    const lines = await search({ query: 'parcel', detail: 'signatures', server: 'far' });
    expect(textOf(lines)).toContain(
      'far__ship(town: string, count: integer, note?: string) - Ships a parcel',
    );
    expect(textOf(lines)).not.toContain('inputSchema');
    const nonsense = await search({ query: 'qzxv wkjq' });
    expect(textOf(nonsense)).toContain('Servers and their tools: far (5), raw (14).');
    expect(textOf(await search({ query: 'x', server: 'nowhere' }))).toContain(
      'There is no server "nowhere".',
    );
    for (const args of [
      {},
      { query: ' ' },
      { query: 3 },
      { query: 'a', limit: 0 },
      { query: 'a', detail: 'all' },
    ])
      expect((await search(args)).result?.['isError']).toBe(true);
  });
});
