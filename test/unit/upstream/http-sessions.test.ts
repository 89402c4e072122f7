import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { nativeUri, systemClock } from '../../../src/domain/index.ts';
import { event, events, json, type PeerRequest, servePeer } from '../../fixtures/faults/http-peer.mjs';
import { verifies } from '../../requirements/upstream.ts';
import { answer, bench, failure, http, place, rejection, until } from './harness.ts';
import { manualClock } from './manual-clock.ts';

const gets = (requests: readonly PeerRequest[]): PeerRequest[] =>
  requests.filter(({ method }) => method === 'GET');
const named = (name: string, more: object = {}) => ({
  params: JSON.stringify({ name, arguments: {} }),
  ...more,
});
const nameOf = ({ message }: PeerRequest): unknown => message.params?.['name'];

describe('the standing stream of a session', () => {
  it(verifies('upstream:http:no-standing-stream'), async () => {
    for (const status of [400, 401, 404, 405, 406]) {
      await using peer = await servePeer({
        era: 'legacy',
        handle: ({ method }, res) => {
          if (method !== 'GET') return false;
          json(res, 'no', { status });
          return true;
        },
      });
      await using server = bench(http(peer.url));
      const connection = await server.upstream.connect();
      await until(() => gets(peer.requests).length > 0);
      for (let at = 0; at < 3; at++) await answer(connection);
      expect(gets(peer.requests)).toHaveLength(1);
      expect(connection.isOpen).toBe(true);
    }
    await using html = await servePeer({
      era: 'legacy',
      handle: ({ method }, res) => {
        if (method === 'GET') json(res, '<html>', { headers: { 'content-type': 'text/html' } });
        return method === 'GET';
      },
    });
    await using server = bench(http(html.url));
    await answer(await server.upstream.connect());
    expect(gets(html.requests)).toHaveLength(1);
  });

  it(verifies('upstream:http:closing-stream'), async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: ({ method }, res) => {
        if (method !== 'GET') return false;
        events(res);
        res.end();
        return true;
      },
    });
    const clock = manualClock();
    await using server = bench(http(peer.url), {}, { clock });
    await server.upstream.connect();
    const openedAtMs: number[] = [];
    for (let count = 1; count <= 12; count++) {
      await until(() => gets(peer.requests).length === count);
      openedAtMs.push(clock.now());
      // Let the end of the stream arrive before time goes on.
      await new Promise((resolve) => setTimeout(resolve, 10));
      for (let waited = 0; waited < 400 && gets(peer.requests).length === count; waited++) {
        clock.advance(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const waits = openedAtMs.slice(1).map((atMs, index) => atMs - (openedAtMs[index] ?? 0));
    expect(waits.slice(0, 4)).toEqual(
      [1_000, 2_000, 4_000, 8_000].map((ms) => expect.closeTo(ms, -4) as number),
    );
    expect(waits.at(-1)).toBeGreaterThanOrEqual(300_000);
    expect(waits.at(-1)).toBeLessThan(320_000);
  });

  it('brings list changes, log messages and questions that belong to no call', async () => {
    let stream: ServerResponse | undefined;
    await using peer = await servePeer({
      era: 'legacy',
      handle: ({ method }, res) => {
        if (method !== 'GET') return false;
        events(res);
        res.write(': open\n\n');
        stream = res;
        return true;
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    await until(() => stream !== undefined);
    stream?.write(event({ method: 'notifications/prompts/list_changed' }, '1'));
    stream?.write(event({ method: 'notifications/message', params: { level: 'info', data: 'x' } }, '2'));
    stream?.write(event({ id: 9, method: 'ping' }, '3'));
    stream?.write(event({ id: 'q', method: 'roots/list' }, '4'));
    expect(await server.next('listChanged')).toMatchObject({ text: 'prompt' });
    expect(await server.next('notification')).toMatchObject({ connection });
    expect(await server.next('request')).toMatchObject({
      text: '{"jsonrpc":"2.0","id":"q","method":"roots/list"}',
    });
    connection.reply(Buffer.from('{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}'));
    await until(() => peer.requests.some(({ body }) => body.includes('"roots"')));
    expect(peer.requests.map(({ body }) => body)).toContain('{"jsonrpc":"2.0","id":9,"result":{}}');
    // A stream that breaks goes on where it stopped.
    stream?.end();
    await until(() => gets(peer.requests).length === 2);
    expect(gets(peer.requests)[1]?.headers['last-event-id']).toBe('4');
  });
});

describe('a session', () => {
  it('has its own ids, headers and end', async () => {
    await using peer = await servePeer({ era: 'legacy', protocolVersion: '2025-06-18' });
    const server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const texts = await Promise.all(['"a"', '"a"', '7'].map((id) => answer(connection, { id })));
    expect(texts.map((text) => text.slice(0, 25))).toEqual([
      '{"jsonrpc":"2.0","id":"a"',
      '{"jsonrpc":"2.0","id":"a"',
      '{"jsonrpc":"2.0","id":7,"',
    ]);
    const calls = peer.requests.filter(({ message }) => message.method === 'tools/call');
    expect(new Set(calls.map(({ message }) => message.id)).size).toBe(3);
    expect(calls[0]?.headers).toMatchObject({
      'mcp-session-id': 'session-1',
      'mcp-protocol-version': '2025-06-18',
    });
    expect(calls[0]?.headers['mcp-method']).toBeUndefined();
    const initialize = peer.requests.find(({ message }) => message.method === 'initialize');
    expect(initialize?.headers['mcp-protocol-version']).toBeUndefined();
    await server.upstream.close();
    expect(peer.requests.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 'session-1' },
    });
  });

  it('opens although the server refuses the note that the handshake is complete', async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: ({ message }, res) => {
        if (message.method !== 'notifications/initialized') return false;
        json(res, { error: { code: -32601, message: 'Method not found' }, id: null }, { status: 400 });
        return true;
      },
    });
    await using server = bench(http(peer.url));
    expect(await answer(await server.upstream.connect())).toContain('"result"');
  });

  it('of a revision without the version header sends none', async () => {
    await using peer = await servePeer({ era: 'legacy', protocolVersion: '2025-03-26' });
    await using server = bench(http(peer.url));
    await answer(await server.upstream.connect());
    expect(peer.requests.at(-1)?.headers['mcp-protocol-version']).toBeUndefined();
  });

  it(verifies('upstream:http:session-lost'), async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: ({ message }, res, { sessions }) => {
        if (message.params?.['name'] !== 'always lost') return false;
        sessions.clear();
        json(res, { id: null, error: { code: -32001, message: 'Session not found' } }, { status: 404 });
        return true;
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    peer.sessions.clear();
    const texts = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        answer(connection, { id: String(index), params: `{"name":"t","n":${index}}` }),
      ),
    );
    for (const [index, text] of texts.entries())
      expect(text).toContain(`"id":${index},"result":{"echoed":{"name":"t","n":${index}}`);
    expect(connection.isOpen).toBe(false);
    expect(peer.sessions.size).toBe(1);
    // A call that a new session refuses as well is not sent a third time.
    const next = await server.upstream.connect();
    const before = peer.requests.length;
    expect(await failure(place(next, named('always lost')))).toMatchObject({ code: 'UPSTREAM_SESSION_LOST' });
    expect(peer.requests.slice(before).filter((request) => nameOf(request) === 'always lost')).toHaveLength(
      2,
    );
  });

  it('that is refused with 400 is checked before it is given up', async () => {
    const dead = new Set<unknown>();
    await using peer = await servePeer({
      era: 'legacy',
      handle: (request, res) => {
        const isDead = dead.has(request.headers['mcp-session-id']);
        if (!isDead && nameOf(request) !== 'malformed') return false;
        json(res, { id: null, error: { code: -32000, message: 'Bad Request' } }, { status: 400 });
        return true;
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    expect(await answer(connection, named('malformed'))).toContain('"message":"Bad Request"');
    expect(connection.isOpen).toBe(true);
    dead.add('session-1');
    const texts = await Promise.all(['1', '2', '3'].map((id) => answer(connection, { id })));
    expect(texts.every((text) => text.includes('"result"'))).toBe(true);
    expect(connection.isOpen).toBe(false);
  });

  it('that answers an unknown method with 404 is not lost', async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: ({ message }, res) => {
        if (message.method !== 'x/unknown') return false;
        json(res, { id: message.id, error: { code: -32601, message: 'Method not found' } }, { status: 404 });
        return true;
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    expect(await answer(connection, { method: 'x/unknown' })).toContain('-32601');
    expect(connection.isOpen).toBe(true);
  });

  it(verifies('upstream:owners:own-connection'), async () => {
    await using peer = await servePeer({ era: 'legacy' });
    await using server = bench(http(peer.url));
    const key = { owner: 'host-1', capabilities: { elicitation: { form: {} }, sampling: {} } };
    const shared = await server.upstream.connect();
    const own = await server.upstream.connect({ key });
    expect(own).not.toBe(shared);
    expect(server.upstream.current(key)).toBe(own);
    expect(server.upstream.current({ owner: 'host-2', capabilities: {} })).toBeUndefined();
    const declared = peer.requests
      .filter(({ message }) => message.method === 'initialize')
      .map(({ message }) => message.params?.['capabilities']);
    expect(declared).toEqual([{}, key.capabilities]);
    await answer(own);
    expect(peer.requests.at(-1)?.headers['mcp-session-id']).toBe('session-2');
    server.upstream.release('host-1');
    await until(() => peer.requests.some(({ method }) => method === 'DELETE'));
    expect(own.isOpen).toBe(false);
    expect(shared.isOpen).toBe(true);
    // A modern server keeps nothing of a host, so everybody shares.
    await using modern = await servePeer();
    await using other = bench(http(modern.url));
    expect(await other.upstream.connect({ key })).toBe(await other.upstream.connect());
    expect(other.upstream.current(key)).toBe(other.upstream.current());
  });
});

describe('a legacy call', () => {
  it('brings what its own stream brings: progress, log messages and questions', async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: (request, res) => {
        if (nameOf(request) !== 'chatty') return false;
        const { _meta: meta } = request.message.params as { _meta: { progressToken: number } };
        events(res);
        res.write(
          event({
            method: 'notifications/progress',
            params: { progressToken: meta.progressToken, progress: 1 },
          }),
        );
        res.write(event({ method: 'notifications/message', params: { level: 'info', data: 'x' } }));
        res.write(event({ method: 'notifications/tools/list_changed' }));
        res.write(event({ id: 3, method: 'ping' }));
        res.write(event({ id: 4, method: 'elicitation/create', params: {} }));
        res.end(event({ id: request.message.id, result: {} }));
        return true;
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const params = '{"name":"chatty","_meta":{"progressToken":"mine"}}';
    const calls = [place(connection, { params }), place(connection, { params })];
    await Promise.all(calls.map(({ done }) => done));
    for (const { messages } of calls) {
      expect(messages.map((text) => (JSON.parse(text) as { method: string }).method)).toEqual([
        'notifications/progress',
        'notifications/message',
        'elicitation/create',
      ]);
      expect(messages[0]).toContain('"progressToken":"mine"');
    }
    expect(server.heard.filter(({ what }) => what === 'listChanged')).toHaveLength(2);
  });

  it(verifies('upstream:http:resumption'), async () => {
    const resumedAfterMs: number[] = [];
    let brokeAtMs = 0;
    await using peer = await servePeer({
      era: 'legacy',
      handle: (request, res) => {
        if (request.method === 'GET' && request.headers['last-event-id'] !== undefined) {
          resumedAfterMs.push(Date.now() - brokeAtMs);
          events(res);
          brokeAtMs = Date.now();
          if (resumedAfterMs.length === 1)
            res.end(event({ method: 'notifications/message', params: { data: 2 } }, 'e2'));
          else res.end(event({ id: lastId, result: { resumed: request.headers['last-event-id'] } }, 'e3'));
          return true;
        }
        if (nameOf(request) !== 'breaking') return false;
        lastId = request.message.id;
        events(res);
        brokeAtMs = Date.now();
        res.end('id: e1\nretry: 120\ndata: \n\n');
        return true;
      },
    });
    let lastId: string | number | undefined;
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const call = place(connection, named('breaking', { id: '"mine"' }));
    expect(await call.done).toMatchObject({
      text: '{"jsonrpc":"2.0","id":"mine","result":{"resumed":"e2"}}',
    });
    expect(call.messages).toHaveLength(1);
    for (const ms of resumedAfterMs) {
      expect(ms).toBeGreaterThanOrEqual(110);
      expect(ms).toBeLessThan(1_000);
    }
    expect(peer.requests.filter((request) => nameOf(request) === 'breaking')).toHaveLength(1);
  });

  it('whose stream cannot be resumed fails', async () => {
    await using peer = await servePeer({
      era: 'legacy',
      handle: (request, res) => {
        if (nameOf(request) !== 'breaking') return false;
        events(res);
        res.end('id: e1\nretry: 1\ndata: \n\n');
        return true;
      },
    });
    await using server = bench(http(peer.url));
    expect(await failure(place(await server.upstream.connect(), named('breaking')))).toMatchObject({
      code: 'UPSTREAM_CLOSED',
      message: 'server "faulty" broke its stream and does not resume it (HTTP 405)',
    });
  });

  it('that is cancelled is withdrawn by a message, a modern one by its connection alone', async () => {
    const hanging = (era: 'legacy' | 'modern') =>
      servePeer({ era, handle: (request) => nameOf(request) === 'hanging' });
    await using legacy = await hanging('legacy');
    await using modern = await hanging('modern');
    for (const peer of [legacy, modern]) {
      await using server = bench(http(peer.url));
      const call = place(await server.upstream.connect(), named('hanging'));
      await until(() => peer.requests.some((request) => nameOf(request) === 'hanging'));
      const request = peer.requests.find((one) => nameOf(one) === 'hanging');
      call.handle.cancel('enough');
      await until(() => request?.isClosed === true);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const told = peer.requests.filter(({ message }) => message.method === 'notifications/cancelled');
      expect(told.map(({ message }) => message.params)).toEqual(
        peer === legacy ? [{ requestId: request?.message.id, reason: 'enough' }] : [],
      );
    }
  });
});

describe('a modern server that reports changes', () => {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
  const acknowledged = (request: PeerRequest) => ({
    method: 'notifications/subscriptions/acknowledged',
    params: {
      _meta: { 'io.modelcontextprotocol/subscriptionId': request.message.id },
      notifications: (request.message.params as { notifications: object }).notifications,
    },
  });

  it(verifies('upstream:changes:watched'), async () => {
    const streams: { readonly request: PeerRequest; readonly res: ServerResponse }[] = [];
    await using peer = await servePeer({
      capabilities,
      handle: (request, res) => {
        if (request.message.method !== 'subscriptions/listen') return false;
        events(res);
        res.write(event(acknowledged(request)));
        streams.push({ request, res });
        return true;
      },
    });
    await using server = bench(http(peer.url));
    await server.upstream.connect();
    await until(() => streams.length === 1);
    const filters = (): unknown[] =>
      streams.map(({ request }) => (request.message.params as { notifications: object }).notifications);
    expect(filters()).toEqual([{ toolsListChanged: true }]);
    expect(streams[0]?.request.headers).toMatchObject({
      'mcp-method': 'subscriptions/listen',
      'mcp-protocol-version': '2026-07-28',
    });
    const uri = nativeUri('a://b');
    const [first, second] = await Promise.all([server.upstream.watch(uri), server.upstream.watch(uri)]);
    expect(filters().at(-1)).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a://b'] });
    expect(streams).toHaveLength(2);
    await until(() => streams[0]?.request.isClosed === true);
    streams[1]?.res.write(event({ method: 'notifications/tools/list_changed', params: {} }));
    streams[1]?.res.write(event({ method: 'notifications/resources/updated', params: { uri: 'a://b' } }));
    expect(await server.next('listChanged')).toMatchObject({ text: 'tool' });
    expect(await server.next('resourceUpdated')).toMatchObject({ text: 'a://b' });
    // A stream that breaks is opened again for the same, and what went unheard meanwhile is assumed.
    const from = server.heard.length;
    streams[1]?.res.destroy();
    await until(() => streams.length === 3);
    expect(filters().at(-1)).toEqual(filters().at(-2));
    expect(await server.next('listChanged', from)).toMatchObject({ text: 'tool,prompt,resource,template' });
    first();
    expect(streams).toHaveLength(3);
    second();
    await until(() => streams.length === 4);
    expect(filters().at(-1)).toEqual({ toolsListChanged: true });
  });

  it(verifies('upstream:changes:failed-listen'), async () => {
    let listens = 0;
    await using peer = await servePeer({
      capabilities,
      handle: ({ message }, res) => {
        if (message.method !== 'subscriptions/listen') return false;
        listens++;
        if (listens === 1) json(res, '<html>', { status: 500, headers: { 'content-type': 'text/html' } });
        else if (listens === 2) res.destroy();
        else
          json(
            res,
            { id: message.id, error: { code: -32601, message: 'Method not found' } },
            { status: 404 },
          );
        return true;
      },
    });
    await using server = bench(http(peer.url), { restart: { initialDelayMs: 20, maxDelayMs: 40 } });
    const connection = await server.upstream.connect();
    await until(() => listens === 3);
    await answer(connection);
    // The third answer settles it for this connection.
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(listens).toBe(3);
    expect(connection.isOpen).toBe(true);
    expect(server.heard.map(({ what }) => what)).toEqual(['connected']);
    expect(await rejection(server.upstream.watch(nativeUri('a://b')))).toMatchObject({
      code: 'UPSTREAM_UNSUPPORTED',
    });
  });

  it('is not listened to when it announces nothing', async () => {
    await using peer = await servePeer();
    await using server = bench(http(peer.url), {}, { clock: systemClock });
    await answer(await server.upstream.connect());
    expect(peer.requests.some(({ message }) => message.method === 'subscriptions/listen')).toBe(false);
  });
});
