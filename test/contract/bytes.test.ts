import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import {
  askModern,
  connectLegacy,
  envelope,
  modernHeaders,
  receivedLines,
  textOf,
} from '../helpers/hosts.ts';
import { answerWith, type ModernUpstream, startModernUpstream } from '../helpers/modern-upstream.ts';
import { exchange, type Message, open } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

const ODD_TOOL = {
  name: 'exact',
  title: 'Exact',
  description: 'Gives back what it is given.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { json: { $ref: '#/$defs/text' } },
    $defs: { text: { type: 'string' } },
    'x-vendor': [1, 2.5, null],
  },
  annotations: { readOnlyHint: true, 'x-hint': 'kept' },
  icons: [{ src: 'data:image/png;base64,AAAA', sizes: ['48x48'] }],
  execution: { taskSupport: 'forbidden' },
  _meta: { 'com.example/vendor': { deep: [true] } },
  'x-unknown': { a: null },
};

let upstream: ModernUpstream;
let started: StartedGateway;
beforeAll(async () => {
  upstream = await startModernUpstream({
    tools: [ODD_TOOL],
    answer: ({ message }, res) => {
      const { json } = message.params['arguments'] as { json: string };
      answerWith(res, `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${json}}`);
    },
  });
  started = await startGateway({ raw: rawServer(), far: { url: upstream.url } });
  await started.gateway.settled();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

/** Posts a modern call whose params are exactly this text, and returns the answer's text. */
async function callWith(name: string, paramsText: string): Promise<string> {
  const meta = `"_meta":${JSON.stringify(envelope())}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${meta},"name":"${name}"${paramsText}}}`;
  const answer = await exchange(started.url, { headers: modernHeaders('tools/call', { name }), body });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** What the handshake server receives for params exactly as given. */
async function arrived(paramsText: string): Promise<string> {
  const echoed = JSON.parse(await callWith('raw__echo', paramsText)) as Message;
  const line = textOf(echoed);
  return line.slice(line.indexOf('"params":') + '"params":'.length, -1);
}

const LARGE = '123456789012345678901234567890.00100';

describe('what a host sends', () => {
  it(verifies('downstream:bytes:arguments'), async () => {
    expect(await arrived('')).toBe('{"name":"echo"}');
    expect(await arrived(',"arguments":{}')).toBe('{"name":"echo","arguments":{}}');
    expect(await arrived(',"arguments":null')).toBe('{"name":"echo"}');
    const texts = [
      '{"a":null}',
      '{"a":{"b":{}},"c":[[]]}',
      `{"n":${LARGE},"e":1E+2,"z":-0,"s":"\\u00e9\\/é"}`,
      '{ "spaced" : [ 1 , 2 ] ,\t"tab":true}',
      '{"name":"inner","_meta":{"kept":1},"arguments":null}',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1},"constructor":null}',
      '{"日本":"😀","":""}',
    ];
    for (const text of texts)
      expect(await arrived(`,"arguments":${text}`)).toBe(`{"name":"echo","arguments":${text}}`);
    expect(await arrived(',"x-unknown":{"k":1}')).toBe('{"name":"echo","x-unknown":{"k":1}}');
  });

  it(verifies('downstream:bytes:nulls-of-hosts'), async () => {
    const legacy = await connectLegacy(started.url, { version: '2025-06-18' });
    const texts = [
      '',
      ',"params":null',
      ',"params":{}',
      ',"params":{"cursor":null}',
      ',"params":{"_meta":null}',
    ];
    for (const [index, text] of texts.entries()) {
      const body = `{"jsonrpc":"2.0","id":${index},"method":"tools/list"${text}}`;
      const { body: answer } = await exchange(started.url, { headers: legacy.headers, body });
      const { result } = JSON.parse(answer) as Message;
      expect([text, Array.isArray(result?.['tools'])]).toEqual([text, true]);
      expect(answer).not.toContain(':null,"');
      expect(result).not.toHaveProperty('nextCursor');
    }
    await legacy.end();
    const meta = { 'io.modelcontextprotocol/clientInfo': null, 'io.modelcontextprotocol/logLevel': null };
    const list = await askModern(started.url, 'tools/list', { cursor: null }, { meta });
    expect(list.result?.['tools']).toBeInstanceOf(Array);
  });
});

describe('lists', () => {
  it(verifies('downstream:lists:cursors'), async () => {
    const legacy = await connectLegacy(started.url, { version: '2025-06-18' });
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      for (const cursor of ['', 'x', 7, {}]) {
        expect((await askModern(started.url, method, { cursor })).error?.code).toBe(-32602);
        expect((await legacy.ask(method, { cursor })).error?.code).toBe(-32602);
      }
      const list = await askModern(started.url, method);
      expect(list.result).not.toHaveProperty('nextCursor');
    }
    await legacy.end();
  });
});

describe('what a server sends', () => {
  it(verifies('downstream:bytes:definitions'), async () => {
    const list = await askModern(started.url, 'tools/list');
    const listed = ((list.result?.['tools'] ?? []) as { name: string }[]).find(
      ({ name }) => name === 'far__exact',
    );
    expect(listed).toEqual({ ...ODD_TOOL, name: 'far__exact' });
  });

  it(verifies('downstream:bytes:results'), async () => {
    const results = [
      '{"resultType":"complete","content":[],"structuredContent":[1,null,false]}',
      '{"resultType":"complete","content":[],"structuredContent":0}',
      '{"resultType":"complete","content":[],"structuredContent":null}',
      '{"resultType":"complete","content":[],"structuredContent":false}',
      '{"resultType":"complete","content":[{"type":"text","text":""}],"isError":true}',
      '{"resultType":"complete","structuredContent":{"only":true},"content":[]}',
      `{"resultType":"complete","content":[{"type":"hologram","data":[${LARGE}],"annotations":{"priority":1}},{"type":"audio","data":"AA==","mimeType":"audio/wav","_meta":{"a":1}}],"x-unknown":{"k":null}}`,
      '{ "resultType" : "complete" , "content" : [ ] , "_meta" : { "com.example/x" : "\\u00e9é" } }',
    ];
    for (const result of results) {
      const text = await callWith('far__exact', `,"arguments":${JSON.stringify({ json: result })}`);
      expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
    }
  });

  it(verifies('downstream:bytes:results-across-eras'), async () => {
    const result = `{"content":[{"type":"hologram","n":${LARGE}}],"isError":false,"structuredContent":{"z":1,"a":[null]},"x":"\\/"}`;
    const text = await callWith('raw__exact', `,"arguments":${JSON.stringify({ json: result })}`);
    expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",${result.slice(1)}}`);
  });

  it(verifies('downstream:bytes:errors'), async () => {
    const error = '{"code":-31999,"message":"no \\u00e9 today","data":{"n":1.0,"list":[null]}}';
    const text = await callWith('raw__fails', `,"arguments":${JSON.stringify({ json: error })}`);
    expect(text).toBe(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
  });

  it(verifies('downstream:bytes:structured-for-handshake-hosts'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-06-18' });
    const call = (structured: string): Promise<Message> =>
      host.ask('tools/call', {
        name: 'far__exact',
        arguments: {
          json: `{"resultType":"complete","content":[{"type":"text","text":"t"}],"structuredContent":${structured}}`,
        },
      });
    expect((await call('{"a":1}')).result).toEqual({
      content: [{ type: 'text', text: 't' }],
      structuredContent: { a: 1 },
    });
    for (const structured of ['[1]', '7', 'null', 'false', '"s"'])
      expect((await call(structured)).result).toEqual({ content: [{ type: 'text', text: 't' }] });
    await host.end();
  });

  it(verifies('downstream:bytes:large'), async () => {
    const bytes = 15 * 1024 * 1024;
    for (const version of ['2025-06-18', '2025-11-25']) {
      const host = await connectLegacy(started.url, { version });
      const answer = await host.ask('tools/call', { name: 'raw__big', arguments: { bytes } });
      expect(textOf(answer)).toHaveLength(bytes);
      await host.end();
    }
    const result = JSON.stringify({
      resultType: 'complete',
      content: [{ type: 'text', text: 'é'.repeat(bytes / 2) }],
    });
    const params = { name: 'far__exact', arguments: { json: result } };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, _meta: envelope() },
    });
    const answer = await open(started.url, { headers: modernHeaders('tools/call', params), body });
    await answer.ended;
    expect(answer.text() === `{"jsonrpc":"2.0","id":1,"result":${result}}`).toBe(true);
  });
});

describe('mirrored arguments', () => {
  const call = (args: unknown, headers: Record<string, string | string[]>): Promise<[number, string]> => {
    const params = { name: 'raw__mirrored', arguments: args };
    return exchange(started.url, {
      headers: { ...modernHeaders('tools/call', params), ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...params, _meta: envelope() },
      }),
    }).then((answer) => [answer.status, answer.body]);
  };
  const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  it(verifies('downstream:params:checked'), async () => {
    const good: [unknown, Record<string, string>][] = [
      [{}, {}],
      [{ region: null }, {}],
      [{ region: 'eu-1' }, { 'Mcp-Param-Region': 'eu-1' }],
      [{ region: 'eu-1' }, { 'mcp-param-region': base64('eu-1') }],
      [{ region: 'é ' }, { 'mcp-param-region': base64('é ') }],
      [{ count: 42 }, { 'mcp-param-count': '42.0' }],
      [{ deep: { flag: false } }, { 'mcp-param-flag': 'false' }],
    ];
    for (const [args, headers] of good) {
      const [status, body] = await call(args, headers);
      expect([args, status, (JSON.parse(body) as Message).error]).toEqual([args, 200, undefined]);
    }
    const bad: [unknown, Record<string, string | string[]>][] = [
      [{ region: 'eu-1' }, {}],
      [{ region: 'eu-1' }, { 'mcp-param-region': 'us-1' }],
      [{ region: 'eu-1' }, { 'mcp-param-region': 'EU-1' }],
      [{ region: 'eu-1' }, { 'mcp-param-region': '=?base64?ZXUtMQ?=' }],
      [{ region: 'eu-1' }, { 'mcp-param-region': ['eu-1', 'eu-1'] }],
      [{ region: null }, { 'mcp-param-region': 'eu-1' }],
      [{ count: 42 }, { 'mcp-param-count': '43' }],
      [{ deep: { flag: true } }, { 'mcp-param-flag': 'True' }],
    ];
    for (const [args, headers] of bad) {
      const [status, body] = await call(args, headers);
      expect([args, headers, status]).toEqual([args, headers, 400]);
      expect((JSON.parse(body) as Message).error?.code).toBe(-32020);
    }
  });

  it(verifies('downstream:params:unknown'), async () => {
    const before = (await receivedLines(started.url)).length;
    const [status] = await call({}, { 'mcp-param-unheard-of': 'x', 'mcp-param-Other': '=?base64?%%%?=' });
    expect(status).toBe(200);
    expect((await receivedLines(started.url)).length).toBe(before + 1);
    // A server of the stateless revision may know what it means.
    const params = { name: 'far__exact', arguments: { json: '{"resultType":"complete","content":[]}' } };
    const answer = await askModern(started.url, 'tools/call', params, {
      headers: { 'Mcp-Param-Unheard-Of': '=?base64?w6k=?=', 'x-other': 'stays here' },
    });
    expect(answer.result).toBeDefined();
    const headers = upstream.seen.at(-1)?.headers;
    expect([headers?.['mcp-param-unheard-of'], headers?.['x-other']]).toEqual(['=?base64?w6k=?=', undefined]);
  });
});
