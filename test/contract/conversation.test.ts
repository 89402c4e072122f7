import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import {
  askModern,
  connectLegacy,
  type LegacyHost,
  openModern,
  receivedLines,
  textOf,
} from '../helpers/hosts.ts';
import {
  answerWith,
  type ModernUpstream,
  startModernUpstream,
  streamOn,
} from '../helpers/modern-upstream.ts';
import type { Message, OpenAnswer } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let upstream: ModernUpstream;
let started: StartedGateway;
beforeAll(async () => {
  upstream = await startModernUpstream({
    tools: [{ name: 'log', inputSchema: { type: 'object' } }],
    answer: ({ message }, res) => {
      const meta = message.params['_meta'] as Record<string, unknown>;
      const level = meta['io.modelcontextprotocol/logLevel'];
      const result = { resultType: 'complete', content: [{ type: 'text', text: String(level) }] };
      if (level === undefined)
        return answerWith(res, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      const send = streamOn(res);
      for (const one of ['debug', 'error'])
        send({ method: 'notifications/message', params: { level: one, data: one } });
      send({ id: message.id, result });
      res.end();
    },
  });
  started = await startGateway({
    raw: rawServer(),
    own: { ...rawServer(), isolation: 'session' },
    far: { url: upstream.url },
  });
  await started.gateway.settled();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const ask = (args: Record<string, unknown>, server = 'raw'): Record<string, unknown> => ({
  name: `${server}__ask`,
  arguments: args,
});
const isQuestion = (message: Message): boolean => message.method !== undefined && message.id !== undefined;
const listed = (messages: readonly Message[], method: string): unknown[] =>
  messages.filter((message) => message.method === method).map((message) => message.params);

describe('questions within the handshake era', () => {
  const questions: [string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>][] = [
    [
      'elicitation/create',
      { elicitation: {} },
      { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
      { action: 'accept', content: { name: 'Ada' } },
    ],
    [
      'sampling/createMessage',
      { sampling: {} },
      { messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }], maxTokens: 5 },
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
    ],
    ['roots/list', { roots: { listChanged: true } }, {}, { roots: [{ uri: 'file:///home' }] }],
  ];

  it(verifies('downstream:questions:answered'), async () => {
    for (const version of ['2025-06-18', '2025-11-25']) {
      for (const [method, capabilities, params, answer] of questions) {
        const host = await connectLegacy(started.url, { version, capabilities });
        const call = await host.open('tools/call', ask({ method, ask: params }));
        const question = await call.until(isQuestion);
        expect([question.method, question.params]).toEqual([method, params]);
        expect((await host.post({ id: question.id, result: answer })).status).toBe(202);
        const response = await call.until((message) => message.result !== undefined);
        expect(JSON.parse(textOf(response))).toEqual(answer);
        await host.end();
      }
    }
  });

  it(verifies('downstream:questions:refused'), async () => {
    const host = await connectLegacy(started.url, { capabilities: { elicitation: {} } });
    const call = await host.open('tools/call', ask({}));
    const question = await call.until(isQuestion);
    await host.post({ id: question.id, error: { code: -1, message: 'not now', data: { n: 1 } } });
    const response = await call.until((message) => message.result !== undefined);
    expect(textOf(response)).toBe('refused: {"code":-1,"message":"not now","data":{"n":1}}');
    await host.end();
  });

  it(verifies('downstream:questions:not-declared'), async () => {
    const able = await connectLegacy(started.url, { capabilities: { roots: {} } });
    for (const host of [able, await connectLegacy(started.url)]) {
      const call = await host.open('tools/call', ask({}));
      const response = await call.until((message) => message.result !== undefined);
      expect(textOf(response)).toMatch(/^refused: \{"code":-32601/);
      expect(call.messages.some(isQuestion)).toBe(false);
      await host.end();
    }
    const modern = await askModern(started.url, 'tools/call', ask({}));
    expect(textOf(modern)).toMatch(/^refused: /);
  });

  it(verifies('downstream:questions:own-ids'), async () => {
    const hosts = await Promise.all(
      ['Ada', 'Bob', 'Eve'].map((name) =>
        connectLegacy(started.url, { version: '2025-06-18', capabilities: { elicitation: {} } }).then(
          (host) => ({ name, host }),
        ),
      ),
    );
    // The server uses one id for all of its questions, and it is also the id of each host's call.
    const calls = await Promise.all(
      hosts.map(async ({ host, name }) => ({
        host,
        name,
        call: await host.open('tools/call', ask({ id: 1 }, 'own'), 1),
      })),
    );
    for (const { host, name, call } of calls.toReversed()) {
      const question = await call.until(isQuestion);
      await host.post({ id: question.id, result: { action: 'accept', content: { name } } });
      const response = await call.until((message) => message.result !== undefined);
      expect([response.id, textOf(response)]).toEqual([1, expect.stringContaining(name)]);
      await host.end();
    }
  });

  it(verifies('downstream:questions:many-calls-of-one-host'), async () => {
    await using own = await startGateway({ raw: rawServer() });
    // Over pipes its server cannot say which of two calls a question belongs to; they have one host in common.
    const host = await connectLegacy(own.url, { capabilities: { elicitation: {} } });
    const calls = await Promise.all(['a', 'b'].map((id) => host.open('tools/call', ask({ id }), id)));
    const questions = (): Message[] => calls.flatMap(({ messages }) => messages.filter(isQuestion));
    await expect.poll(() => questions().length).toBe(2);
    for (const [index, { id }] of questions().entries()) await host.post({ id, result: { n: index } });
    const answers = await Promise.all(calls.map((call) => call.until(({ result }) => result !== undefined)));
    expect(answers.map(textOf).toSorted()).toEqual(['{"n":0}', '{"n":1}']);
    await host.end();
  });

  it(verifies('downstream:questions:withdrawn'), async () => {
    const host = await connectLegacy(started.url, { capabilities: { elicitation: {} } });
    const call = await host.open('tools/call', { name: 'raw__withdraw' });
    await call.ended;
    const question = call.messages.find(isQuestion);
    const withdrawn = listed(call.messages, 'notifications/cancelled');
    expect(question).toBeDefined();
    expect(withdrawn).toEqual([{ requestId: question?.id, reason: 'no longer needed' }]);
    await host.end();
  });
});

describe('log levels', () => {
  const levels = (answer: OpenAnswer): unknown[] =>
    listed(answer.messages, 'notifications/message').map((params) => (params as { level: string }).level);
  const log = async (host: LegacyHost): Promise<unknown[]> => {
    const answer = await host.open('tools/call', { name: 'raw__log' });
    await answer.ended;
    return levels(answer);
  };

  it(verifies('downstream:logging:per-host'), async () => {
    const [quiet, chatty] = await Promise.all([connectLegacy(started.url), connectLegacy(started.url)]);
    expect((await quiet.ask('logging/setLevel', { level: 'error' })).result).toEqual({});
    expect((await chatty.ask('logging/setLevel', { level: 'notice' })).result).toEqual({});
    expect(await log(quiet)).toEqual(['error', 'critical', 'alert', 'emergency']);
    expect(await log(chatty)).toEqual(['notice', 'warning', 'error', 'critical', 'alert', 'emergency']);
    expect(await log(quiet)).toHaveLength(4);
    expect((await quiet.ask('logging/setLevel', { level: 'loud' })).error?.code).toBe(-32602);
    await Promise.all([quiet.end(), chatty.end()]);
  });

  it(verifies('downstream:logging:late-server'), async () => {
    await using cold = await startGateway({ raw: rawServer('--delay', '300') });
    const opened = connectLegacy(cold.url);
    const host = await opened;
    expect((await host.ask('logging/setLevel', { level: 'critical' })).result).toEqual({});
    const answer = await host.open('tools/call', { name: 'raw__log' });
    await answer.ended;
    expect(levels(answer)).toEqual(['critical', 'alert', 'emergency']);
    await host.end();
  });

  it(verifies('downstream:logging:stateless'), async () => {
    const call = async (server: string, meta?: Record<string, unknown>): Promise<unknown[]> => {
      const answer = await openModern(
        started.url,
        'tools/call',
        { name: `${server}__log` },
        meta && { meta },
      );
      await answer.ended;
      return levels(answer);
    };
    const wants = (level: string): Record<string, unknown> => ({ 'io.modelcontextprotocol/logLevel': level });
    expect(await call('raw')).toEqual([]);
    expect(await call('raw', wants('alert'))).toEqual(['alert', 'emergency']);
    expect(await call('raw')).toEqual([]);
    expect(await call('far')).toEqual([]);
    expect(await call('far', wants('error'))).toEqual(['error']);
    const bad = await openModern(started.url, 'tools/call', { name: 'raw__log' }, { meta: wants('loud') });
    const answer = await bad.until(() => true);
    expect([bad.status, answer.error?.code]).toEqual([400, -32602]);
  });
});

describe('changes', () => {
  const LIST_CHANGED = 'notifications/tools/list_changed';

  it(verifies('downstream:changes:lists'), async () => {
    const host = await connectLegacy(started.url);
    const listening = await host.listen();
    const filter = { notifications: { toolsListChanged: true } };
    const modern = await openModern(started.url, 'subscriptions/listen', filter, { id: 'mine' });
    const deaf = await openModern(started.url, 'subscriptions/listen', { notifications: {} }, { id: 2 });
    const ack = await modern.until(() => true);
    expect(ack).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        _meta: { 'io.modelcontextprotocol/subscriptionId': 'mine' },
        notifications: { toolsListChanged: true },
      },
    });
    await deaf.until(() => true);
    await askModern(started.url, 'tools/call', { name: 'raw__grow' });
    await listening.until((message) => message.method === LIST_CHANGED);
    const told = await modern.until((message) => message.method === LIST_CHANGED);
    expect(told.params).toEqual({ _meta: { 'io.modelcontextprotocol/subscriptionId': 'mine' } });
    // Whoever is told finds the change at once.
    const names = (await askModern(started.url, 'tools/list')).result?.['tools'] as { name: string }[];
    expect(names.map(({ name }) => name)).toContain('raw__grown_0');
    expect(deaf.messages).toHaveLength(1);
    for (const stream of [modern, deaf]) stream.leave();
    await host.end();
    await listening.ended;
  });

  it(verifies('downstream:changes:resources'), async () => {
    const uri = 'raw://raw/one';
    const updated = 'notifications/resources/updated';
    const host = await connectLegacy(started.url);
    const listening = await host.listen();
    expect((await host.ask('resources/subscribe', { uri })).result).toEqual({});
    const filter = { notifications: { resourceSubscriptions: [uri, 'raw://raw/item/7', 'nobody://x'] } };
    const modern = await openModern(started.url, 'subscriptions/listen', filter, { id: 5 });
    const ack = await modern.until(() => true);
    expect(ack.params?.['notifications']).toEqual({ resourceSubscriptions: [uri, 'raw://raw/item/7'] });
    const touch = (one: string): Promise<Message> =>
      askModern(started.url, 'tools/call', { name: 'raw__touch', arguments: { uri: one } });
    await touch('raw://raw/item/7');
    await touch(uri);
    await listening.until((message) => message.method === updated);
    await modern.until((message) => message.params?.['uri'] === uri);
    expect(listed(listening.messages, updated)).toEqual([{ uri }]);
    const meta = { 'io.modelcontextprotocol/subscriptionId': 5 };
    expect(listed(modern.messages, updated)).toEqual([
      { _meta: meta, uri: 'raw://raw/item/7' },
      { _meta: meta, uri },
    ]);
    expect((await host.ask('resources/unsubscribe', { uri })).result).toEqual({});
    modern.leave();
    await expect
      .poll(
        async () => (await receivedLines(started.url)).filter((line) => line.includes('/unsubscribe')).length,
      )
      .toBe(2);
    expect((await host.ask('resources/subscribe', { uri: 'nobody://x' })).error).toMatchObject({
      code: -32602,
      data: { uri: 'nobody://x' },
    });
    await host.end();
  });

  it(verifies('downstream:changes:of-modern-servers'), async () => {
    const uri = 'far://one';
    const host = await connectLegacy(started.url);
    const listening = await host.listen();
    expect((await host.ask('resources/subscribe', { uri })).result).toEqual({});
    const filter = { notifications: { resourceSubscriptions: [uri] } };
    const modern = await openModern(started.url, 'subscriptions/listen', filter, { id: 'x' });
    await modern.until(() => true);
    upstream.tell('notifications/resources/updated', { uri });
    const updated = (message: Message): boolean => message.method === 'notifications/resources/updated';
    expect((await listening.until(updated)).params).toEqual({ uri });
    expect((await modern.until(updated)).params).toEqual({
      _meta: { 'io.modelcontextprotocol/subscriptionId': 'x' },
      uri,
    });
    modern.leave();
    await host.end();
  });

  it(verifies('downstream:changes:resumed'), async () => {
    const host = await connectLegacy(started.url);
    const first = await host.listen();
    const [, id = ''] = /^id: (\S+)$/m.exec(first.text()) ?? [];
    first.leave();
    await first.ended;
    await askModern(started.url, 'tools/call', { name: 'raw__grow' });
    await expect
      .poll(async () => {
        const second = await host.listen({ 'last-event-id': id });
        await new Promise((resolve) => setTimeout(resolve, 20));
        second.leave();
        return second.messages.map(({ method }) => method);
      })
      .toEqual([LIST_CHANGED]);
    await host.end();
  });

  it(verifies('downstream:changes:graceful-end'), async () => {
    const own = await startGateway({ raw: rawServer() });
    const filter = { notifications: { toolsListChanged: true } };
    const stream = await openModern(own.url, 'subscriptions/listen', filter, { id: 9 });
    await stream.until(() => true);
    await own[Symbol.asyncDispose]();
    await stream.ended;
    expect(stream.messages.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 9,
      result: {
        resultType: 'complete',
        _meta: {
          'io.modelcontextprotocol/subscriptionId': 9,
          'io.modelcontextprotocol/serverInfo': {
            name: 'tollgate',
            title: 'Tollgate',
            version: '0.0.0-test',
          },
        },
      },
    });
  });
});
