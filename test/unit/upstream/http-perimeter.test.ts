import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { TransportConfig } from '../../../src/config/index.ts';
import { json, type Peer, type PeerRequest, servePeer } from '../../fixtures/faults/http-peer.mjs';
import { verifies } from '../../requirements/upstream.ts';
import { answer, bench, failure, http, place, rejection } from './harness.ts';

const call = { method: 'tools/call', headers: ['mcp-name', 't'] };

/** A server that sends every request on to another address. */
const redirecting = (status: number, location: (request: PeerRequest) => string): Promise<Peer> =>
  servePeer({
    handle: (request, res) => {
      const target = location(request);
      if (target === '') return false;
      res.writeHead(status, { location: target });
      res.end();
      return true;
    },
  });

describe('a redirect', () => {
  it(verifies('upstream:http:redirects'), async () => {
    for (const status of [307, 308]) {
      await using peer = await redirecting(status, ({ url }) => (url === '/mcp' ? '/mcp/' : ''));
      await using server = bench(http(peer.url, { Authorization: 'Bearer A' }));
      const connection = await server.upstream.connect();
      const text = await answer(connection, { ...call, params: '{"name":"t","arguments":{"a":1.0}}' });
      const [first, second] = peer.requests.slice(-2);
      expect(second).toMatchObject({ method: 'POST', url: '/mcp/', body: first?.body });
      expect(second?.headers).toMatchObject({
        authorization: 'Bearer A',
        'mcp-method': 'tools/call',
        'mcp-name': 't',
      });
      expect(text).toContain('"arguments":{"a":1}');
    }
    const refused = async (status: number, location: (request: PeerRequest) => string): Promise<string> => {
      await using peer = await redirecting(status, location);
      await using server = bench(http(peer.url, { Authorization: 'Bearer A' }));
      const { message } = await rejection(server.upstream.connect());
      expect(peer.requests.length).toBeLessThan(8);
      return message.replaceAll(peer.origin, 'http://SELF');
    };
    for (const status of [301, 302, 303]) {
      expect(await refused(status, () => '/other?key=secret')).toBe(
        `server "faulty" answered HTTP ${status}, which would lose the request; configure http://SELF/other as its url`,
      );
    }
    expect(await refused(307, () => 'https://elsewhere.example/mcp?key=secret')).toBe(
      'server "faulty" redirects to another origin, which is not followed; if it is right, configure https://elsewhere.example/mcp as its url',
    );
    expect(await refused(307, ({ url }) => `${url}x`)).toBe(
      'server "faulty" redirects more than 5 times; check its url',
    );
    expect(await refused(307, () => 'http://[')).toBe(
      'server "faulty" answered HTTP 307 without a usable Location',
    );
  });
});

describe('the URL of a server', () => {
  it('is used as it is written', async () => {
    for (const path of ['/mcp/', '/a/b/mcp?tenant=x%20y', '/']) {
      await using peer = await servePeer();
      await using server = bench(http(`${peer.origin}${path}`));
      await answer(await server.upstream.connect(), call);
      expect([...new Set(peer.requests.map(({ url }) => url))]).toEqual([path]);
    }
  });
});

describe('the headers of a server', () => {
  it(verifies('upstream:http:credentials'), async () => {
    await using elsewhere = await servePeer();
    await using b = await servePeer({ era: 'legacy' });
    await using a = await servePeer({
      era: 'legacy',
      capabilities: { tools: { listChanged: true } },
      handle: (request, res) => {
        if (request.message.params?.['name'] !== 'elsewhere') return false;
        res.writeHead(307, { location: `${elsewhere.url}` });
        res.end();
        return true;
      },
    });
    const secret = { Authorization: 'Bearer A', 'X-Key': 'k' };
    const plain = bench(http(b.url));
    const keyed = bench(http(a.url, secret));
    await Promise.all(
      [plain, keyed].map(async ({ upstream }) => {
        const connection = await upstream.connect();
        await answer(connection, call);
        connection.notify(Buffer.from('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}'));
        await upstream.list();
      }),
    );
    await failure(place(await keyed.upstream.connect(), { params: '{"name":"elsewhere"}' }));
    await keyed.upstream.close();
    await plain.upstream.close();
    expect(new Set(a.requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET', 'DELETE']));
    expect(
      a.requests.every(({ headers }) => headers.authorization === 'Bearer A' && headers['x-key'] === 'k'),
    ).toBe(true);
    expect(b.requests.some(({ headers }) => headers.authorization !== undefined)).toBe(false);
    expect(elsewhere.requests).toEqual([]);
  });

  it('cannot replace those of the protocol', async () => {
    await using peer = await servePeer();
    const headers = {
      'Mcp-Method': 'x',
      'MCP-Protocol-Version': '1',
      'Content-Length': '1',
      'Accept-Encoding': 'br',
    };
    await using server = bench(http(peer.url, headers));
    await answer(await server.upstream.connect(), call);
    const last = peer.requests.at(-1);
    expect(last?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 't',
    });
    const names =
      last?.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()) ?? [];
    expect(names).toEqual([...new Set(names)]);
  });
});

describe('HTTP+SSE of 2024-11-05', () => {
  interface Old extends AsyncDisposable {
    readonly url: string;
    readonly seen: { readonly url: string; readonly authorization: string | undefined }[];
  }

  /** `endpoint` is what the first event says. */
  async function serveOld(endpoint: (origin: string) => string): Promise<Old> {
    const seen: { url: string; authorization: string | undefined }[] = [];
    let send = (_text: string): void => undefined;
    const server: Server = createServer((req, res) => {
      seen.push({ url: `${req.method} ${req.url}`, authorization: req.headers.authorization });
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        if (req.url === '/prefix/sse' && req.method === 'GET') {
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          send = (text) => res.write(text);
          return void res.write(`event: endpoint\r\ndata: ${endpoint(`http://127.0.0.1:${port}`)}\r\n\r\n`);
        }
        if (req.method !== 'POST' || !req.url?.startsWith('/prefix/messages'))
          return void res.writeHead(404).end();
        res.writeHead(202).end();
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
          id?: number;
          method: string;
          params: unknown;
        };
        if (id === undefined) return;
        const result =
          method === 'initialize'
            ? {
                protocolVersion: '2024-11-05',
                capabilities: { tools: {} },
                serverInfo: { name: 'old', version: '1' },
              }
            : { echoed: params };
        send(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return { url: `http://127.0.0.1:${port}/prefix/sse`, seen, [Symbol.asyncDispose]: close };
  }

  const transport = (url: string, kind: 'auto' | 'sse'): TransportConfig => ({
    kind,
    url,
    headers: { Authorization: 'Bearer A' },
  });

  it(verifies('upstream:http:legacy-endpoint'), async () => {
    for (const kind of ['auto', 'sse'] as const) {
      for (const endpoint of [() => 'messages?id=1', (origin: string) => `${origin}/prefix/messages?id=1`]) {
        await using old = await serveOld(endpoint);
        await using server = bench(transport(old.url, kind));
        const connection = await server.upstream.connect();
        expect(connection).toMatchObject({ era: 'legacy', protocolVersion: '2024-11-05' });
        expect(server.upstream.status().transport).toBe('sse');
        const texts = await Promise.all(
          ['1', '"1"', '1'].map((id, index) =>
            answer(connection, { id, params: `{"name":"t","n":${index}}` }),
          ),
        );
        expect(texts).toEqual(
          ['1', '"1"', '1'].map(
            (id, index) => `{"jsonrpc":"2.0","id":${id},"result":{"echoed":{"name":"t","n":${index}}}}`,
          ),
        );
        expect(old.seen.at(-1)).toEqual({ url: 'POST /prefix/messages?id=1', authorization: 'Bearer A' });
      }
    }
    await using elsewhere = await servePeer();
    await using old = await serveOld(() => `${elsewhere.origin}/messages`);
    await using server = bench(transport(old.url, 'sse'));
    expect(await rejection(server.upstream.connect())).toMatchObject({
      code: 'UPSTREAM_REFUSED',
      message: expect.stringContaining('names an endpoint on another origin') as string,
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it('fails its calls at once when the stream ends', async () => {
    await using old = await serveOld(() => '/prefix/messages');
    const server = bench(transport(old.url, 'sse'));
    const connection = await server.upstream.connect();
    await old[Symbol.asyncDispose]();
    expect(await failure(place(connection, call))).toMatchObject({
      code: expect.stringMatching(/^UPSTREAM_/) as string,
    });
    expect(await server.next('closed')).toMatchObject({ connection });
    await server.upstream.close();
  });
});

describe('a server that does not work', () => {
  it(verifies('upstream:isolation:dead-servers'), async () => {
    const swallow = createTcpServer();
    await new Promise<void>((resolve) => swallow.listen(0, '127.0.0.1', resolve));
    const deaf = `http://127.0.0.1:${(swallow.address() as AddressInfo).port}/mcp`;
    await using slow = await servePeer({ handle: () => true });
    await using html = await servePeer({
      handle: (_request, res) => {
        json(res, '<html>', { status: 503, headers: { 'content-type': 'text/html' } });
        return true;
      },
    });
    await using healthy = await servePeer();
    const restart = { initialDelayMs: 60_000, maxDelayMs: 60_000 };
    const timeouts = { connectMs: 700 };
    const benches = ['http://127.0.0.1:9/mcp', deaf, slow.url, html.url].map((url) =>
      bench(http(url), { restart, timeouts }),
    );
    await using fine = bench(http(healthy.url));
    const startedMs = Date.now();
    const [errors, list] = await Promise.all([
      Promise.all(benches.map(({ upstream }) => rejection(upstream.list()))),
      fine.upstream.list(),
    ]);
    expect(list).toMatchObject({ complete: true });
    expect(errors.map(({ code }) => code)).toEqual([
      'UPSTREAM_UNREACHABLE',
      'UPSTREAM_TIMEOUT',
      'UPSTREAM_TIMEOUT',
      'UPSTREAM_REFUSED',
    ]);
    expect(Date.now() - startedMs).toBeLessThan(3_000);
    const againMs = Date.now();
    for (const { upstream } of benches) await rejection(upstream.list());
    expect(Date.now() - againMs).toBeLessThan(50);
    await Promise.all(benches.map(({ upstream }) => upstream.close()));
    swallow.close();
  });

  it('is left as soon as a call cannot reach it, and found again when it is back', async () => {
    const peer = await servePeer();
    await using server = bench(http(peer.url));
    const connection = await server.upstream.connect();
    await peer.close();
    expect(await failure(place(connection, call))).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
    expect(connection.isOpen).toBe(false);
    expect(server.upstream.current()).toBeUndefined();
    expect(await rejection(server.upstream.connect({ isDemanded: true }))).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
    });
    expect(server.heard.filter(({ what }) => what === 'closed')).toHaveLength(1);
  });
});
