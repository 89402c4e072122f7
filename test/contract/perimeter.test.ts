import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import { modernBody, modernHeaders } from '../helpers/hosts.ts';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let started: StartedGateway;
let port: number;
beforeAll(async () => {
  started = await startGateway(
    { raw: rawServer() },
    {
      listen: { port: 0, allowedHosts: ['gw.example.com'], allowedOrigins: ['https://app.example.com'] },
      profiles: { review: {} },
      limits: { requestBodyBytes: 4096 },
    },
  );
  port = Number(new URL(started.url).port);
  await started.gateway.settled();
});
afterAll(() => started[Symbol.asyncDispose]());

const status = async (headers: Record<string, string>, path = '/mcp', method = 'POST'): Promise<number> => {
  const answer = await exchange(`${started.origin}${path}`, {
    method,
    headers: { ...modernHeaders('tools/list'), ...headers },
    ...(method === 'POST' ? { body: modernBody('tools/list') } : {}),
  });
  return answer.status;
};

/** What comes back for bytes exactly as given. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('who may reach the endpoint', () => {
  it(verifies('downstream:perimeter:origin'), async () => {
    const answers = [
      [undefined, 200],
      ['null', 403],
      ['https://evil.example', 403],
      ['http://localhost.evil.example', 403],
      ['http://evil.example:8808', 403],
      ['http://localhost:1234', 200],
      ['http://127.0.0.1', 200],
      ['http://[::1]:9', 200],
      ['https://app.example.com', 200],
      ['https://app.example.com:444', 403],
      ['http://app.example.com', 403],
      ['https://gw.example.com', 403],
      ['file://', 403],
    ] as const;
    for (const path of ['/mcp', '/mcp/review', '/healthz', '/readyz', '/metrics']) {
      for (const [origin, expected] of answers) {
        const method = path.startsWith('/mcp') ? 'POST' : 'GET';
        const given = await status(origin === undefined ? {} : { origin }, path, method);
        expect([path, origin, given]).toEqual([path, origin, expected]);
      }
    }
  });

  it(verifies('downstream:perimeter:host'), async () => {
    const answers = [
      ['evil.example', 403],
      ['evil.example:8808', 403],
      ['127.0.0.1.evil.example', 403],
      ['localhost', 200],
      ['localhost:1', 200],
      ['LOCALHOST:1', 200],
      ['127.0.0.1:80', 200],
      ['[::1]:80', 200],
      ['gw.example.com', 200],
      ['gw.example.com:8443', 200],
      ['GW.example.com', 200],
      ['10.0.0.5', 403],
      ['localhost/evil.example', 403],
      ['user@localhost', 403],
    ] as const;
    for (const [host, expected] of answers) {
      expect([host, await status({ host })]).toEqual([host, expected]);
      expect([host, await status({ host }, '/healthz', 'GET')]).toEqual([host, expected]);
    }
    expect(await raw('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  });

  it(verifies('downstream:perimeter:preflight'), async () => {
    const asked = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region',
    };
    const answer = await exchange(started.url, { method: 'OPTIONS', headers: asked });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
      'access-control-allow-headers': asked['access-control-request-headers'],
      vary: 'origin',
    });
    const refused = await exchange(started.url, {
      method: 'OPTIONS',
      headers: { ...asked, origin: 'https://evil.example' },
    });
    expect(refused.status).toBe(403);
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
    const served = await exchange(started.url, {
      headers: { ...modernHeaders('tools/list'), origin: 'https://app.example.com' },
      body: modernBody('tools/list'),
    });
    expect(served.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate',
    });
    const failed = await exchange(started.url, {
      headers: { origin: 'https://app.example.com' },
      body: 'not JSON',
    });
    expect([failed.status, failed.headers['access-control-allow-origin']]).toEqual([
      400,
      'https://app.example.com',
    ]);
  });

  it(verifies('downstream:perimeter:paths'), async () => {
    const answers = [
      ['/mcp', 200],
      ['/mcp/', 200],
      ['/mcp?from=elsewhere', 200],
      ['/mcp/review', 200],
      ['/mcp/review/', 200],
      ['/mcp/nobody', 404],
      ['/mcp/__proto__', 404],
      ['/mcp/default', 200],
      ['/mcpx', 404],
      ['/', 404],
      ['/x/mcp', 404],
      ['/MCP', 404],
    ] as const;
    for (const [path, expected] of answers) expect([path, await status({}, path)]).toEqual([path, expected]);
  });

  it(verifies('downstream:perimeter:media-types'), async () => {
    const post = (headers: Record<string, string>): Promise<number> =>
      exchange(started.url, {
        isBare: true,
        headers: { ...modernHeaders('tools/list'), ...headers },
        body: modernBody('tools/list'),
      }).then((answer) => answer.status);
    const json = { 'content-type': 'application/json' };
    expect(await post({})).toBe(415);
    expect(await post({ 'content-type': 'text/plain' })).toBe(415);
    expect(await post({ 'content-type': 'application/jsonp' })).toBe(415);
    expect(await post({ 'content-type': 'Application/JSON; charset=utf-8' })).toBe(200);
    expect(await post(json)).toBe(200);
    expect(await post({ ...json, accept: '*/*' })).toBe(200);
    expect(await post({ ...json, accept: 'application/json' })).toBe(200);
    expect(await post({ ...json, accept: 'Application/JSON, Text/Event-Stream' })).toBe(200);
    expect(await post({ ...json, accept: 'text/html' })).toBe(406);
    const listening = await exchange(started.url, {
      headers: { ...modernHeaders('subscriptions/listen'), accept: 'application/json' },
      body: modernBody('subscriptions/listen', { notifications: {} }),
    });
    expect(listening.status).toBe(406);
    const streamed = await exchange(started.url, {
      headers: { ...modernHeaders('tools/list'), accept: 'text/event-stream' },
      body: modernBody('tools/list'),
    });
    expect([streamed.status, streamed.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(streamed.body).toMatch(/^data: \{"jsonrpc":"2\.0","id":1,"result":/);
  });

  it(verifies('downstream:body:too-large'), async () => {
    const big = modernBody('tools/list', { padding: 'x'.repeat(5000) });
    const answer = await exchange(started.url, { headers: modernHeaders('tools/list'), body: big });
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('limits.requestBodyBytes');
    // A body without end is answered, too, and the connection closed.
    const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n${`1000\r\n${'x'.repeat(4096)}\r\n`.repeat(3)}`;
    expect(await raw(endless)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it(verifies('downstream:body:bytewise'), async () => {
    const name = 'raw__slow';
    const body = modernBody('tools/call', { name, arguments: { ms: 0, payload: 'né 日本 😀' } });
    const mirrored = Object.entries(modernHeaders('tools/call', { name })).map(
      ([key, value]) => `${key}: ${value}`,
    );
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      'Connection: close',
      ...mirrored,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join('\r\n');
    const bytes = Buffer.from(`${head}\r\n\r\n${body}`);
    const answer = await new Promise<string>((resolve, reject) => {
      const parts: Buffer[] = [];
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
        let at = 0;
        const next = (): void => {
          if (at < bytes.length) socket.write(bytes.subarray(at, ++at), () => setImmediate(next));
        };
        next();
      });
      socket.on('data', (chunk: Buffer) => parts.push(chunk));
      socket.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('né 日本 😀');
  });

  it(verifies('downstream:body:unreadable'), async () => {
    const post = (body: string | Buffer): Promise<[number, string]> =>
      exchange(started.url, { headers: modernHeaders('tools/list'), body }).then((answer) => [
        answer.status,
        answer.body,
      ]);
    const cases: [string | Buffer, number, unknown][] = [
      ['', -32700, null],
      ['{', -32700, null],
      ['{"jsonrpc":"2.0","id":1,}', -32700, null],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32700, null],
      ['null', -32600, null],
      ['"text"', -32600, null],
      ['{}', -32600, null],
      ['{"jsonrpc":"1.0","id":4,"method":"tools/list"}', -32600, 4],
      ['{"id":"x","method":"tools/list"}', -32600, 'x'],
      ['{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1],
      ['{"jsonrpc":"2.0","id":null,"method":"tools/list"}', -32600, null],
      ['{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}', -32600, null],
      ['{"jsonrpc":"2.0","id":true,"method":"tools/list"}', -32600, null],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', -32600, 1],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}', -32600, 1],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}', -32600, null],
    ];
    for (const [body, code, id] of cases) {
      const [given, text] = await post(body);
      const { error, id: echoed } = JSON.parse(text) as { id: unknown; error: { code: number } };
      expect([String(body), given, error.code, echoed]).toEqual([String(body), 400, code, id]);
    }
  });
});

describe('a listener on every address', () => {
  it(verifies('downstream:perimeter:every-address'), async () => {
    await using open = await startGateway({}, { listen: { host: '0.0.0.0', port: 0 } });
    const ask = (host: string): Promise<number> =>
      exchange(open.url, {
        headers: { ...modernHeaders('tools/list'), host },
        body: modernBody('tools/list'),
      }).then((answer) => answer.status);
    // An address cannot be pointed somewhere else by a page, a name can.
    expect(await ask('192.168.1.7:8808')).toBe(200);
    expect(await ask('[2001:db8::7]')).toBe(200);
    expect(await ask('localhost')).toBe(200);
    expect(await ask('gateway.lan')).toBe(403);
  });

  it(verifies('downstream:perimeter:localhost'), async () => {
    await using open = await startGateway({}, { listen: { host: 'localhost', port: 0 } });
    expect(new URL(open.url).hostname).toBe('localhost');
    const { port: own } = new URL(open.url);
    expect((await exchange(`http://127.0.0.1:${own}/healthz`, { method: 'GET' })).status).toBe(200);
  });
});
