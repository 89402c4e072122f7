import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway.ts';
import { composeGateway, rawServer } from '../helpers/gateway.ts';
import { envelope, textOf } from '../helpers/hosts.ts';
import { answerWith, startModernUpstream } from '../helpers/modern-upstream.ts';
import { openPipes, type PipeHost } from '../helpers/pipes.ts';
import type { Message } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let gateway: Gateway;
let dispose: () => Promise<void>;
let host: PipeHost;
beforeEach(async () => {
  ({ gateway, dispose } = await composeGateway({ raw: rawServer() }, { limits: { requestBodyBytes: 4096 } }));
  host = openPipes(gateway);
});
afterEach(() => dispose());

const hello = (version: string, capabilities: Record<string, unknown> = {}): Record<string, unknown> => ({
  protocolVersion: version,
  capabilities,
  clientInfo: { name: 'pipe-host', version: '1' },
});
const slow = (payload: string, ms = 0): Record<string, unknown> => ({
  name: 'raw__slow',
  arguments: { ms, payload },
});
const modern = (params: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...params,
  _meta: envelope(),
});
const received = async (): Promise<string[]> =>
  JSON.parse(textOf(await host.ask('tools/call', modern({ name: 'raw__received' })))) as string[];

describe('a host over pipes', () => {
  it(verifies('downstream:stdio:eras'), async () => {
    const discovered = await host.ask('server/discover', modern(), 'd');
    expect(discovered.result).toMatchObject({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
    expect(textOf(await host.ask('tools/call', modern(slow('before'))))).toBe('before');
    const answer = await host.ask('initialize', hello('2025-06-18'), 0);
    expect(answer.result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'tollgate' } });
    expect(textOf(await host.ask('tools/call', slow('in session')))).toBe('in session');
    expect(textOf(await host.ask('tools/call', modern(slow('beside it'))))).toBe('beside it');
  });

  it(verifies('downstream:stdio:negotiation'), async () => {
    for (const [asked, given] of [
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
    ] as const) {
      const answer = await host.ask('initialize', hello(asked), `hello ${asked}`);
      expect([asked, answer.result?.['protocolVersion']]).toEqual([asked, given]);
      expect((await host.ask('ping')).result).toEqual({});
    }
  });

  it(verifies('downstream:stdio:before-handshake'), async () => {
    expect((await host.ask('ping')).result).toEqual({});
    expect((await host.ask('tools/list')).error?.code).toBe(-32600);
    expect((await host.ask('toString')).error?.code).toBe(-32600);
    const meta = { ...envelope(), 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    expect((await host.ask('tools/list', { _meta: meta })).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
    expect((await host.ask('initialize', modern(hello('2026-07-28')))).error?.code).toBe(-32601);
  });

  it(verifies('downstream:stdio:unreadable'), async () => {
    const texts: [string, number, unknown][] = [
      ['{', -32700, null],
      ['nonsense', -32700, null],
      ['7', -32600, null],
      ['{"jsonrpc":"2.0","id":"x"}', -32600, 'x'],
      ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600, null],
      ['[]', -32600, null],
      ['x'.repeat(5000), -32600, null],
    ];
    for (const [text] of texts) host.say(text);
    host.say('');
    host.say('\r');
    expect((await host.ask('ping', {}, 'last')).result).toEqual({});
    expect((host.lines as Message[]).slice(0, -1).map(({ id, error }) => [error?.code, id])).toEqual(
      texts.map(([, code, id]) => [code, id]),
    );
  });

  it(verifies('downstream:stdio:bytewise'), async () => {
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 'é',
      method: 'tools/call',
      params: modern(slow('日本 😀')),
    });
    for (const byte of Buffer.from(`${call}\r\n`)) host.input.write(Buffer.of(byte));
    expect(textOf(await host.until(({ id }) => id === 'é'))).toBe('日本 😀');
  });

  it(verifies('downstream:stdio:one-line'), async () => {
    const result = { resultType: 'complete', content: [{ type: 'text', text: 'two\nlines' }] };
    await using upstream = await startModernUpstream({
      tools: [{ name: 'pretty', inputSchema: { type: 'object' } }],
      answer: ({ message }, res) =>
        answerWith(
          res,
          JSON.stringify({ jsonrpc: '2.0', id: message.id, result }, undefined, 2).replaceAll('\n', '\r\n'),
        ),
    });
    const composed = await composeGateway({ far: { url: upstream.url } });
    const own = openPipes(composed.gateway);
    const answer = await own.ask('tools/call', modern({ name: 'far__pretty', arguments: {} }));
    expect(answer.result).toEqual(result);
    expect(own.lines).toHaveLength(1);
    await composed.dispose();
  });

  it(verifies('downstream:stdio:cancellation'), async () => {
    await host.ask('initialize', hello('2025-06-18'), 0);
    const cases: [unknown, Record<string, unknown>][] = [
      ['of a session', slow('of a session', 60_000)],
      [12345678, modern(slow('without one', 60_000))],
    ];
    for (const [id, params] of cases) {
      host.say({ id, method: 'tools/call', params });
      await expect.poll(async () => (await received()).some((line) => line.includes('60000'))).toBe(true);
      host.say({
        method: 'notifications/cancelled',
        params: { requestId: id, reason: `enough of ${String(id)}` },
      });
      await expect
        .poll(async () => (await received()).some((line) => line.includes(`enough of ${String(id)}`)))
        .toBe(true);
      expect(host.lines.flat().some((message) => message.id === id)).toBe(false);
      // Its id is free again.
      expect((await host.ask('ping', {}, id)).result).toEqual({});
    }
  });

  it(verifies('downstream:stdio:duplicates'), async () => {
    await host.ask('initialize', hello('2025-06-18'), 0);
    host.say({ id: 1, method: 'tools/call', params: slow('first', 100) });
    host.say('{"jsonrpc":"2.0","id":1.0,"method":"ping"}');
    const refused = await host.until(({ error }) => error !== undefined);
    expect([refused.id, refused.error?.code]).toEqual([1, -32600]);
    expect(textOf(await host.until(({ result }) => result?.['content'] !== undefined))).toBe('first');
  });

  it(verifies('downstream:stdio:batches'), async () => {
    await host.ask('initialize', hello('2025-03-26'), 0);
    host.say(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},7,{"jsonrpc":"2.0","method":"notifications/initialized"},' +
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"raw__slow","arguments":{"ms":10,"payload":"x"}}}]',
    );
    await host.until(({ id }) => id === 2);
    const batch = host.lines.find((line): line is Message[] => Array.isArray(line));
    expect(batch?.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32600],
      [2, undefined],
    ]);
    await host.ask('initialize', hello('2025-06-18'), 'again');
    host.say('[{"jsonrpc":"2.0","id":9,"method":"ping"}]');
    expect((await host.until(({ error }) => error?.message.includes('Batches') === true)).error?.code).toBe(
      -32600,
    );
  });

  it(verifies('downstream:stdio:questions'), async () => {
    await host.ask('initialize', hello('2025-11-25', { elicitation: {} }), 0);
    const answering = host.ask(
      'tools/call',
      { name: 'raw__ask', arguments: { ask: { message: 'Who?' } } },
      'q',
    );
    const question = await host.until(({ method }) => method === 'elicitation/create');
    expect(question.params).toEqual({ message: 'Who?' });
    host.say({ id: question.id, result: { action: 'decline' } });
    expect(textOf(await answering)).toBe('{"action":"decline"}');
  });

  it(verifies('downstream:stdio:two-calls-two-questions'), async () => {
    await host.ask('initialize', hello('2025-11-25', { elicitation: {} }), 0);
    // On one pipe the server cannot say which call its question belongs to; there is but one host to ask.
    const answers = ['a', 'b'].map((id) =>
      host.ask('tools/call', { name: 'raw__ask', arguments: { id } }, id),
    );
    for (let count = 1; count <= 2; count++) {
      await expect.poll(() => questions(host).length).toBeGreaterThanOrEqual(count);
      host.say({ id: questions(host)[count - 1]?.id, result: { n: count } });
    }
    expect((await Promise.all(answers)).map(textOf).toSorted()).toEqual(['{"n":1}', '{"n":2}']);
  });

  it(verifies('downstream:stdio:changes'), async () => {
    await host.ask('initialize', hello('2025-06-18'), 0);
    await host.ask('tools/list');
    host.say({
      id: 'l',
      method: 'subscriptions/listen',
      params: modern({ notifications: { toolsListChanged: true } }),
    });
    await host.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await host.ask('tools/call', { name: 'raw__grow' });
    const changes = (): Message[] =>
      host.lines.flat().filter(({ method }) => method === 'notifications/tools/list_changed');
    await expect.poll(() => changes().length).toBe(2);
    expect(changes().map(({ params }) => params)).toContainEqual({
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' },
    });
    host.say({ method: 'notifications/cancelled', params: { requestId: 'l' } });
    await host.ask('tools/call', { name: 'raw__grow' });
    await expect.poll(() => changes().length).toBe(3);
  });

  it(verifies('downstream:stdio:host-gone'), async () => {
    await host.ask('tools/call', modern(slow('warm')));
    host.say({ id: 'late', method: 'tools/call', params: modern(slow('late', 100)) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    host.input.end();
    await expect.poll(() => host.isClosed()).toBe(true);
    // What was asked before the end is still answered by a gateway that is stopping.
    const closing = gateway.close();
    expect(textOf(await host.until(({ id }) => id === 'late'))).toBe('late');
    await closing;
  });

  it(verifies('downstream:stdio:output-gone'), async () => {
    await host.ask('tools/call', modern(slow('warm')));
    host.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await expect.poll(() => host.isClosed()).toBe(true);
    host.say({ id: 'late', method: 'tools/call', params: modern(slow('late')) });
    await gateway.close();
  });
});

const questions = (host: PipeHost): Message[] =>
  host.lines.flat().filter(({ method, id }) => method !== undefined && id !== undefined);
