import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { event, events, json, type PeerRequest, servePeer } from '../../fixtures/faults/http-peer.mjs';
import { isHeaderMismatch } from '../../../src/upstream/index.ts';
import { verifies } from '../../requirements/upstream.ts';
import { answer, bench, failure, http, place, until } from './harness.ts';

type Answer = (res: ServerResponse, request: PeerRequest) => void;

/** A modern server whose tools answer in the ways that are given by name. */
const servingTools = (tools: Record<string, Answer>, era: 'modern' | 'legacy' = 'modern') =>
  servePeer({
    era,
    handle: (request, res) => {
      const tool =
        request.message.method === 'tools/call'
          ? tools[request.message.params?.['name'] as string]
          : undefined;
      tool?.(res, request);
      return tool !== undefined;
    },
  });

const named = (name: string, more: object = {}) => ({
  params: JSON.stringify({ name, arguments: {} }),
  ...more,
});

async function writeSlowly(res: ServerResponse, bytes: Buffer): Promise<void> {
  for (const byte of bytes) {
    res.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const done = (id: string | number | undefined) => ({
  id,
  result: { resultType: 'complete', text: '😀 漢字' },
});

describe('an answer in an event stream', () => {
  it(verifies('upstream:http:event-streams'), async () => {
    await using peer = await servingTools({
      'byte by byte': (res, { message }) => {
        events(res);
        const progress = { method: 'notifications/progress', params: { progressToken: 'mine', progress: 1 } };
        const lines = `data: ${JSON.stringify({ jsonrpc: '2.0', ...done(message.id) })}`.replace(
          ',"result"',
          '\r\ndata: ,"result"',
        );
        const text = `\uFEFF: hello\r\n\r\n${event(progress)}event: ping\rdata: {}\r\r${lines}\r\n\r\n`;
        void writeSlowly(res, Buffer.from(text)).then(() => res.end());
      },
      'no end': (res, { message }) => {
        events(res);
        res.end(event(done(message.id)).trimEnd());
      },
      'no answer': (res) => {
        events(res);
        res.end(': nothing\n\n');
      },
      broken: (res) => {
        events(res);
        res.write(': nothing\n\n');
        setTimeout(() => res.destroy(), 20);
      },
      'junk first': (res, { message }) => {
        events(res);
        res.end(
          `data: null\n\ndata: {"a":1}\n\n${event({ id: 'other', result: {} })}${event(done(message.id))}`,
        );
      },
      'never closes': (res, { message }) => {
        events(res);
        res.write(event(done(message.id)));
      },
      batch: (res, { message }) => {
        events(res);
        const progress = {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: 'mine', progress: 1 },
        };
        res.end(`data: ${JSON.stringify([progress, { jsonrpc: '2.0', ...done(message.id) }])}\n\n`);
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const slow = place(connection, named('byte by byte', { id: '"x"' }));
    expect(await slow.done).toMatchObject({
      kind: 'response',
      text: '{"jsonrpc":"2.0","id":"x"\n,"result":{"resultType":"complete","text":"😀 漢字"}}',
    });
    expect(slow.messages).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}',
    ]);
    for (const lost of ['no end', 'no answer', 'broken']) {
      expect(await failure(place(connection, named(lost)))).toMatchObject({ code: 'UPSTREAM_CLOSED' });
    }
    for (const fine of ['junk first', 'never closes', 'batch']) {
      expect(await answer(connection, named(fine))).toContain('"text":"😀 漢字"');
    }
    expect(connection.isOpen).toBe(true);
  });

  it('keeps its call alive by comments, up to the ceiling', async () => {
    await using peer = await servingTools({
      beating: (res) => {
        events(res);
        const beat = setInterval(() => res.write(': beat\n\n'), 30);
        res.on('close', () => clearInterval(beat));
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const error = await failure(place(connection, named('beating', { idleMs: 150, maxMs: 500 })));
    expect(error.message).toBe('server "faulty" did not finish within 500 ms (tools/call)');
    await until(() => peer.requests.at(-1)?.isClosed === true);
  });
});

describe('an answer that is encoded', () => {
  const encoded =
    (encoding: string, encode: (bytes: Buffer) => Buffer): Answer =>
    (res, { message }) => {
      const body = encode(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...done(message.id) })));
      res.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': encoding,
        'content-length': body.length,
        'set-cookie': ['a=1', 'b=2'],
      });
      res.end(body);
    };

  it(verifies('upstream:http:encodings'), async () => {
    await using peer = await servingTools({
      gzip: encoded('gzip', gzipSync),
      'x-gzip': encoded('X-GZIP', gzipSync),
      br: encoded('br', brotliCompressSync),
      deflate: encoded('deflate', deflateSync),
      identity: encoded('identity', (bytes) => bytes),
      zstd: encoded('zstd', (bytes) => bytes),
      'not really gzip': encoded('gzip', (bytes) => bytes),
      'gzip events': (res, { message }) => {
        events(res, { 'content-encoding': 'gzip' });
        res.end(gzipSync(event(done(message.id))));
      },
      'large gzip': (res, { message }) => {
        const body = { jsonrpc: '2.0', ...done(message.id), pad: 'x'.repeat(500_000) };
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
        res.end(gzipSync(JSON.stringify(body)));
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    for (const name of ['gzip', 'x-gzip', 'br', 'deflate', 'identity', 'gzip events', 'large gzip']) {
      expect(JSON.parse(await answer(connection, named(name)))).toMatchObject({
        id: 1,
        result: { text: '😀 漢字' },
      });
    }
    expect(peer.requests.every(({ headers }) => headers['accept-encoding'] === 'identity')).toBe(true);
    expect(await failure(place(connection, named('zstd')))).toMatchObject({
      code: 'UPSTREAM_MALFORMED',
      message: 'server "faulty" answered in the encoding "zstd", which was not asked for',
    });
    expect(await failure(place(connection, named('not really gzip')))).toMatchObject({
      code: 'UPSTREAM_MALFORMED',
    });
  });
});

describe('a refusal over HTTP', () => {
  const rpcError =
    (code: number, status: number): Answer =>
    (res, { message }) =>
      json(res, { id: message.id, error: { code, message: 'no', data: { a: 1.0 } } }, { status });
  const plain =
    (status: number, body = '<html>secret stack</html>', headers: Record<string, string> = {}): Answer =>
    (res) => {
      res.writeHead(status, { 'content-type': 'text/html', ...headers });
      res.end(body);
    };

  it(verifies('upstream:http:statuses'), async () => {
    await using peer = await servingTools({
      'rpc 200': rpcError(-32602, 200),
      'rpc 400': rpcError(-32602, 400),
      'rpc 404': rpcError(-32601, 404),
      'rpc 500': rpcError(-32603, 500),
      'no id': (res) =>
        json(res, { id: null, error: { code: -32600, message: 'unreadable' } }, { status: 400 }),
      '401': plain(401, '', { 'www-authenticate': 'Bearer resource_metadata="https://secret"' }),
      '403': rpcError(-32000, 403),
      '404': plain(404),
      '405': plain(405),
      '429': plain(429, '', { 'retry-after': '7' }),
      '500': plain(500),
      '502': plain(502),
      'html 200': plain(200),
      'empty 200': plain(200, ''),
      'json 200': (res) => json(res, '{}'),
      'cut json': (res) => json(res, '{"jsonrpc":"2.0","id":1,"result":{'),
      '202': (res) => json(res, '', { status: 202 }),
      'another id': (res) => json(res, { id: 'mine', result: { fine: true } }),
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    for (const [name, status, code] of [
      ['rpc 200', 200, -32602],
      ['rpc 400', 400, -32602],
      ['rpc 404', 404, -32601],
      ['rpc 500', 500, -32603],
    ] as const) {
      expect(await place(connection, named(name, { id: '"q"' })).done).toEqual({
        kind: 'response',
        status,
        text: `{"jsonrpc":"2.0","id":"q","error":{"code":${code},"message":"no","data":{"a":1}}}`,
      });
    }
    expect(await place(connection, named('no id')).done).toMatchObject({
      status: 400,
      text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"unreadable"}}',
    });
    expect(await answer(connection, named('another id'))).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"fine":true}}',
    );
    const failures = Object.entries({
      '401': ['UPSTREAM_AUTH', 'requires authorization (HTTP 401)'],
      '403': ['UPSTREAM_AUTH', 'denied access (HTTP 403)'],
      '404': ['UPSTREAM_REFUSED', 'refused the request (HTTP 404)'],
      '405': ['UPSTREAM_REFUSED', 'refused the request (HTTP 405)'],
      '429': ['UPSTREAM_OVERLOADED', 'asks for fewer requests (HTTP 429)'],
      '500': ['UPSTREAM_REFUSED', 'failed (HTTP 500)'],
      '502': ['UPSTREAM_REFUSED', 'failed (HTTP 502)'],
      'html 200': ['UPSTREAM_MALFORMED', 'answered HTTP 200 with text/html that holds no JSON-RPC message'],
      'empty 200': ['UPSTREAM_MALFORMED', 'answered HTTP 200 with text/html that holds no JSON-RPC message'],
      'json 200': [
        'UPSTREAM_MALFORMED',
        'answered HTTP 200 with application/json that holds no JSON-RPC message',
      ],
      'cut json': [
        'UPSTREAM_MALFORMED',
        'answered HTTP 200 with application/json that holds no JSON-RPC message',
      ],
      '202': ['UPSTREAM_MALFORMED', 'answered HTTP 202 with application/json that holds no JSON-RPC message'],
    });
    for (const [name, [code, what]] of failures) {
      const error = await failure(place(connection, named(name)));
      expect({ name, code: error.code, message: error.message }).toEqual({
        name,
        code,
        message: `server "faulty" ${what}`,
      });
      expect(JSON.stringify(error.data)).not.toContain('secret');
    }
    expect((await failure(place(connection, named('429')))).data).toEqual({
      server: 'faulty',
      status: 429,
      retryAfter: '7',
    });
  });

  it(verifies('upstream:http:hop-errors'), async () => {
    await using peer = await servingTools({
      headers: rpcError(-32020, 400),
      capability: rpcError(-32021, 400),
      version: rpcError(-32022, 400),
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    const mismatch = await failure(place(connection, named('headers')));
    expect(mismatch).toMatchObject({ code: 'UPSTREAM_REFUSED', data: { upstreamCode: -32020 } });
    expect(isHeaderMismatch(mismatch)).toBe(true);
    expect(connection.isOpen).toBe(true);
    // A missing capability is the caller's own affair.
    expect(await answer(connection, named('capability'))).toContain('-32021');
    const outdated = await failure(place(connection, named('version')));
    expect(outdated).toMatchObject({ code: 'UPSTREAM_UNSUPPORTED', data: { upstreamCode: -32022 } });
    expect(isHeaderMismatch(outdated)).toBe(false);
    // What was agreed no longer holds, so it is agreed anew.
    expect(connection.isOpen).toBe(false);
    expect(await server.upstream.connect({ isDemanded: true })).toMatchObject({ isOpen: true });
  });
});

describe('a large answer', () => {
  const big = (res: ServerResponse, request: PeerRequest): void =>
    json(
      res,
      `{"result":{"big":12345678901234567890,"pad":"${'x'.repeat(900_000)}"},"jsonrpc":"2.0","id":${JSON.stringify(request.message.id)}}`,
    );

  it(verifies('upstream:http:large-answers'), async () => {
    let sentBytes = 0;
    const chunk = 'x'.repeat(64 * 1024);
    const endless = (res: ServerResponse): void => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write('{"jsonrpc":"2.0","id":1,"result":{"pad":"');
      const more = (): void => {
        while (sentBytes < 60_000_000) {
          sentBytes += chunk.length;
          if (!res.write(chunk)) return void res.once('drain', more);
        }
        res.end('"}}');
      };
      more();
    };
    await using peer = await servingTools({ big, endless });
    await using legacy = await servingTools({ big }, 'legacy');
    await using server = bench(http(peer.url));
    await using older = bench(http(legacy.url));
    const [connection, old] = [await server.upstream.connect(), await older.upstream.connect()];

    const streamed = await place(connection, named('big', { id: '"mine"' })).done;
    expect(streamed).toMatchObject({ kind: 'streamed', lengthBytes: 900_076 });
    expect(streamed).toMatchObject({
      text: expect.stringMatching(/^\{"result":\{"big":12345678901234567890,.*"id":"mine"\}$/) as string,
    });
    expect(await place(connection, named('big', { wantsWhole: true })).done).toMatchObject({
      kind: 'response',
    });
    const edited = await place(old, named('big', { id: '"mine"' })).done;
    expect(edited).toMatchObject({
      kind: 'response',
      text: expect.stringContaining('"id":"mine"}') as string,
    });

    let chunks = 0;
    const slow = place(connection, named('endless', { onChunk: () => ++chunks % 20 !== 0, idleMs: 400 }));
    await until(() => chunks === 20);
    await new Promise((resolve) => setTimeout(resolve, 600));
    // The receiver is full: what is under way is held by sockets alone, and its silence is not the server's.
    expect(chunks).toBe(20);
    expect(sentBytes).toBeLessThan(30_000_000);
    const pump = setInterval(() => slow.handle.resume(), 1);
    expect(await slow.done).toMatchObject({ kind: 'streamed' });
    clearInterval(pump);
  });

  it('that breaks off fails its call', async () => {
    await using peer = await servingTools({
      cut: (res) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.write(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(200_000)}`);
        setTimeout(() => res.destroy(), 30);
      },
    });
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    expect(await failure(place(connection, named('cut')))).toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(await failure(place(connection, named('cut', { wantsWhole: true })))).toMatchObject({
      code: 'UPSTREAM_CLOSED',
    });
  });

  it('above the limit is an error of its call, where it must be held', async () => {
    await using peer = await servingTools({ big });
    await using server = bench(http(peer.url), {}, { messageBytes: 500_000 });
    const connection = await server.upstream.connect();
    expect(await failure(place(connection, named('big', { wantsWhole: true })))).toMatchObject({
      code: 'UPSTREAM_TOO_LARGE',
      message: 'server "faulty" sent a message above the limit of 500000 bytes',
    });
    expect(await place(connection, named('big')).done).toMatchObject({ kind: 'streamed' });
  });
});
