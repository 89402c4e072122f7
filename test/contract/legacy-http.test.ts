import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import { connectLegacy, initializeBody, receivedLines, textOf } from '../helpers/hosts.ts';
import { exchange, type Message, open, type RawAnswer } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let started: StartedGateway;
beforeAll(async () => {
  started = await startGateway({ raw: rawServer() });
  await started.gateway.settled();
});
afterAll(() => started[Symbol.asyncDispose]());

const errorOf = (answer: RawAnswer): Message['error'] => (JSON.parse(answer.body) as Message).error;
const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);
const lineWith = async (part: string): Promise<string | undefined> =>
  (await receivedLines(started.url)).find((line) => line.includes(part));

describe('the handshake', () => {
  it(verifies('downstream:legacy:negotiation'), async () => {
    const agreed = [
      ['2024-10-07', '2024-10-07'],
      ['2024-11-05', '2024-11-05'],
      ['2025-03-26', '2025-03-26'],
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2026-07-28', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
      ['1999-01-01', '2025-11-25'],
      ['nonsense', '2025-11-25'],
    ] as const;
    for (const [asked, given] of agreed) {
      const host = await connectLegacy(started.url, { version: asked });
      expect([asked, host.hello.id, host.hello.result?.['protocolVersion']]).toEqual([asked, 0, given]);
      expect((await host.ask('tools/list')).result?.['tools']).toBeInstanceOf(Array);
      expect((await host.ask('ping')).result).toEqual({});
      await host.end();
    }
  });

  it(verifies('downstream:legacy:handshake-under-modern-header'), async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28' };
    const answer = await exchange(started.url, { headers, body: initializeBody('2026-07-28') });
    expect([answer.status, errorOf(answer)?.code]).toEqual([400, -32020]);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  it(verifies('downstream:legacy:headerless'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-03-26', hasVersionHeader: false });
    const call = await host.ask('tools/call', { name: 'raw__slow', arguments: { ms: 0, payload: 'hi' } });
    expect(textOf(call)).toBe('hi');
    expect((await host.ask('resources/read', { uri: 'raw://raw/one' })).result).toMatchObject({
      contents: [{ uri: 'raw://raw/one' }],
    });
    await host.end();
  });

  it(verifies('downstream:legacy:two-at-once'), async () => {
    const hosts = await Promise.all(
      Array.from({ length: 20 }, () => connectLegacy(started.url, { version: '2025-06-18' })),
    );
    expect(new Set(hosts.map((host) => host.session)).size).toBe(20);
    for (const { session } of hosts) expect(session).toMatch(/^[\x21-\x7e]+$/);
    const lists = await Promise.all(hosts.map((host) => host.ask('tools/list')));
    expect(new Set(lists.map((list) => JSON.stringify(list.result))).size).toBe(1);
    await Promise.all(hosts.map((host) => host.end()));
  });
});

describe('a session', () => {
  it(verifies('downstream:legacy:missing-session'), async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    const missing = await exchange(started.url, { body });
    expect([missing.status, (JSON.parse(missing.body) as Message).id]).toEqual([400, 5]);
    const unknown = await exchange(started.url, { body, headers: { 'mcp-session-id': 'nobody' } });
    expect([unknown.status, (JSON.parse(unknown.body) as Message).id]).toEqual([404, 5]);
  });

  it(verifies('downstream:legacy:dead-session'), async () => {
    const host = await connectLegacy(started.url);
    expect((await host.end()).status).toBe(200);
    const late = await host.open('tools/list');
    await late.ended;
    expect(late.status).toBe(404);
    expect((await host.listen()).status).toBe(404);
    expect((await host.end()).status).toBe(404);
    expect((await host.post({ method: 'notifications/initialized' })).status).toBe(404);
  });

  it(verifies('downstream:legacy:bad-version-header'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-06-18' });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    for (const version of ['1.0.0', '2099-01-01', 'invalid', '']) {
      const headers = { ...host.headers, 'mcp-protocol-version': version };
      const answer = await exchange(started.url, { headers, body });
      expect([version, answer.status]).toEqual([version, 400]);
      // Without a session it may be a host of a revision to come, which learns what it can speak here.
      const bare = await exchange(started.url, { headers: { 'mcp-protocol-version': version }, body });
      expect(JSON.parse(bare.body)).toMatchObject({
        id: 5,
        error: { code: -32022, data: { supported: ['2026-07-28'], requested: version } },
      });
      expect(bare.status).toBe(400);
    }
    await host.end();
  });

  it(verifies('downstream:legacy:repeated-session'), async () => {
    const host = await connectLegacy(started.url);
    const headers = { 'mcp-session-id': [host.session, host.session] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/list' });
    expect((await exchange(started.url, { headers, body })).status).toBe(400);
    expect((await exchange(started.url, { method: 'DELETE', headers })).status).toBe(400);
    expect((await host.ask('ping')).result).toEqual({});
    await host.end();
  });

  it(verifies('downstream:legacy:get-and-delete'), async () => {
    for (const method of ['GET', 'DELETE']) {
      for (const headers of [{}, { 'mcp-protocol-version': '2025-06-18' }]) {
        const answer = await exchange(started.url, {
          method,
          headers: { accept: 'text/event-stream', ...headers },
        });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST, OPTIONS']);
      }
    }
    const host = await connectLegacy(started.url);
    const wrong = await exchange(started.url, {
      method: 'GET',
      headers: { ...host.headers, accept: 'application/json' },
    });
    expect(wrong.status).toBe(406);
    const listening = await host.listen();
    expect([
      listening.status,
      listening.headers['content-type'],
      listening.headers['x-accel-buffering'],
    ]).toEqual([200, 'text/event-stream', 'no']);
    const second = await host.listen();
    await listening.ended;
    second.leave();
    for (const method of ['PUT', 'PATCH', 'HEAD']) {
      const answer = await exchange(started.url, { method, headers: host.headers });
      expect([method, answer.status, answer.headers.allow]).toEqual([
        method,
        405,
        'GET, POST, DELETE, OPTIONS',
      ]);
    }
    await host.end();
  });

  it(verifies('downstream:legacy:notifications'), async () => {
    const host = await connectLegacy(started.url);
    for (const method of [
      'notifications/initialized',
      'notifications/cancelled',
      'notifications/unheard-of',
    ]) {
      const answer = await host.post({ method });
      expect([answer.status, answer.body]).toEqual([202, '']);
    }
    const answered = await host.post({ id: 'nobody-asked', result: {} });
    expect([answered.status, answered.body]).toEqual([202, '']);
    await host.end();
  });

  it(verifies('downstream:legacy:unknown-method'), async () => {
    const host = await connectLegacy(started.url);
    for (const method of ['no/such', 'server/discover', 'subscriptions/listen', 'toString', '__proto__']) {
      const answer = await host.open(method, {}, method);
      const { error, id } = await answer.until(() => true);
      expect([answer.status, id, error?.code]).toEqual([200, method, -32601]);
    }
    await host.end();
  });
});

describe('batches', () => {
  const batch = (version: string, text: string): Promise<[RawAnswer, () => Promise<unknown>]> =>
    connectLegacy(started.url, { version, hasVersionHeader: false }).then(async (host) => [
      await exchange(started.url, { headers: host.headers, body: text }),
      () => host.end(),
    ]);

  it(verifies('downstream:batch:served'), async () => {
    const messages = [
      { id: 1, method: 'ping' },
      { method: 'notifications/initialized' },
      { id: 'two', method: 'tools/call', params: { name: 'raw__slow', arguments: { ms: 20, payload: 'x' } } },
      { id: 3, method: 'no/such' },
    ].map((message) => ({ jsonrpc: '2.0', ...message }));
    const [answer] = await batch('2025-03-26', JSON.stringify(messages));
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    const responses = JSON.parse(answer.body) as Message[];
    expect(responses.map((response) => response.id).toSorted(byText)).toEqual([1, 3, 'two']);
    expect(responses.find((response) => response.id === 'two')).toMatchObject({
      result: { content: [{ text: 'x' }] },
    });
    expect(responses.find((response) => response.id === 3)?.error?.code).toBe(-32601);
  });

  it(verifies('downstream:batch:bad-elements'), async () => {
    const text =
      '[5,{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"1.0","id":2,"method":"ping"},' +
      '{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"initialize","params":{}}]';
    const [answer] = await batch('2025-03-26', text);
    const responses = JSON.parse(answer.body) as Message[];
    expect(responses.map(({ id, error }) => [id, error?.code])).toEqual([
      [null, -32600],
      [1, undefined],
      [2, -32600],
      [null, -32600],
      [5, -32600],
    ]);
  });

  it(verifies('downstream:batch:equal-ids'), async () => {
    const slow = {
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { name: 'raw__slow', arguments: { ms: 50 } },
    };
    const [answer] = await batch('2025-03-26', JSON.stringify([slow, { ...slow, method: 'ping' }]));
    const responses = JSON.parse(answer.body) as Message[];
    expect(responses.map(({ id, error }) => [id, error?.code])).toEqual([
      [9, -32600],
      [9, undefined],
    ]);
  });

  it(verifies('downstream:batch:nothing-to-answer'), async () => {
    const [answer] = await batch('2025-03-26', '[{"jsonrpc":"2.0","method":"notifications/initialized"}]');
    expect([answer.status, answer.body]).toEqual([202, '']);
  });

  it(verifies('downstream:batch:streamed'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-03-26' });
    const messages = [
      { id: 1, method: 'ping' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'raw__progress', arguments: {}, _meta: { progressToken: 'p' } },
      },
    ].map((message) => ({ jsonrpc: '2.0', ...message }));
    const answer = await open(started.url, { headers: host.headers, body: JSON.stringify(messages) });
    await answer.ended;
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.messages.map(({ id, method }) => id ?? method)).toEqual([
      1,
      'notifications/progress',
      'notifications/progress',
      'notifications/progress',
      2,
    ]);
    await host.end();
  });

  it(verifies('downstream:batch:refused'), async () => {
    const text = '[{"jsonrpc":"2.0","id":1,"method":"ping"}]';
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
      const [answer] = await batch(version, text);
      expect([version, answer.status, errorOf(answer)?.code]).toEqual([version, 400, -32600]);
    }
    const [empty] = await batch('2025-03-26', '[]');
    expect([empty.status, errorOf(empty)?.code]).toEqual([400, -32600]);
    const modern =
      '[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}]';
    const [mixed] = await batch('2025-03-26', modern);
    expect((JSON.parse(mixed.body) as Message[])[0]?.error?.code).toBe(-32600);
  });
});

describe('a call of a handshake host', () => {
  it(verifies('downstream:legacy:leaving-does-not-cancel'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-11-25' });
    const slow = { name: 'raw__slow', arguments: { ms: 400, payload: 'kept for later' } };
    const answer = await host.open('tools/call', slow, 'resumed');
    const [, eventId = ''] = /^id: (\S+)$/m.exec(answer.text()) ?? [];
    expect(eventId).not.toBe('');
    answer.leave();
    const resumed = await host.listen({ 'last-event-id': eventId });
    const response = await resumed.until((message) => message.id === 'resumed');
    expect(textOf(response)).toBe('kept for later');
    await resumed.ended;
    expect(await lineWith('notifications/cancelled')).toBeUndefined();
    // Delivered once, it is not kept any longer.
    const again = await host.listen({ 'last-event-id': eventId });
    expect(again.messages).toEqual([]);
    again.leave();
    await host.end();
  });

  it(verifies('downstream:legacy:cancelled-by-message'), async () => {
    const host = await connectLegacy(started.url);
    const slow = { name: 'raw__slow', arguments: { ms: 60_000, payload: 'to be cancelled' } };
    const answering = host.open('tools/call', slow, 77);
    await expect.poll(() => lineWith('to be cancelled')).toBeDefined();
    const line = await lineWith('to be cancelled');
    const { id } = JSON.parse(line ?? '') as { id: number };
    await host.post({
      method: 'notifications/cancelled',
      params: { requestId: 77, reason: 'changed my mind' },
    });
    await expect.poll(() => lineWith('changed my mind')).toContain(`"requestId":${id},`);
    const answer = await answering;
    await answer.ended;
    expect(answer.messages).toEqual([]);
    // The id is free again.
    expect((await host.ask('ping', {}, 77)).id).toBe(77);
    await host.end();
  });

  it(verifies('downstream:legacy:ended-session-cancels'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-06-18' });
    const slow = { name: 'raw__slow', arguments: { ms: 60_000, payload: 'of a session that ends' } };
    const answering = host.open('tools/call', slow, 1);
    await expect.poll(() => lineWith('of a session that ends')).toBeDefined();
    const { id } = JSON.parse((await lineWith('of a session that ends')) ?? '') as { id: number };
    await host.end();
    await expect.poll(() => lineWith(`"requestId":${id},`)).toBeDefined();
    expect((await answering).status).toBe(200);
  });
});
