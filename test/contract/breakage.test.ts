import { request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import {
  askModern,
  connectLegacy,
  initializeBody,
  modernBody,
  modernHeaders,
  openModern,
  receivedLines,
  sendModern,
  textOf,
} from '../helpers/hosts.ts';
import { type ModernUpstream, startModernUpstream, streamOn } from '../helpers/modern-upstream.ts';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

const MIB = 1024 * 1024;

let upstream: ModernUpstream;
let started: StartedGateway;
let written = 0;
let sentBytes = 0;
beforeAll(async () => {
  upstream = await startModernUpstream({
    tools: [{ name: 'endless' }, { name: 'large' }].map((tool) => ({
      ...tool,
      inputSchema: { type: 'object' },
    })),
    answer: ({ message }, res) => {
      if (message.params['name'] === 'endless') return endless(res);
      // Half a gigabyte in one document, written only as fast as it is read.
      res.writeHead(200, { 'content-type': 'application/json' });
      res.write(
        `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"resultType":"complete","content":[],"x":"`,
      );
      written = 0;
      const part = 'x'.repeat(MIB);
      const more = (): void => {
        while (written < 512 && !res.destroyed) {
          written++;
          if (!res.write(part)) return void res.once('drain', more);
        }
        res.end('"}}');
      };
      more();
    },
  });
  started = await startGateway({ raw: rawServer(), far: { url: upstream.url } });
  await started.gateway.settled();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

/** Tells without end, as fast as it is read. */
function endless(res: ServerResponse): void {
  const send = streamOn(res);
  const message = 'x'.repeat(64 * 1024);
  const tell = (): void => {
    if (res.destroyed) return;
    sentBytes += message.length;
    const params = { progressToken: 't', progress: 1, message };
    if (send({ method: 'notifications/progress', params })) setImmediate(tell);
    else res.once('drain', tell);
  };
  tell();
}

const works = async (): Promise<void> => {
  const answer = await askModern(started.url, 'tools/call', {
    name: 'raw__slow',
    arguments: { ms: 0, payload: 'alive' },
  });
  expect(textOf(answer)).toBe('alive');
};

/** A connection that has sent these bytes. */
function socketWith(text: string): Promise<Socket> {
  const { port } = new URL(started.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text, () => resolve(socket)));
    socket.on('error', () => undefined);
  });
}

const head = (body: string, more: Record<string, string> = {}): string =>
  [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n');

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a host that leaves', () => {
  it(verifies('downstream:breakage:every-phase'), async () => {
    const slow = { name: 'raw__slow', arguments: { ms: 150, payload: 'unheard' } };
    const body = modernBody('tools/call', slow);
    const whole = head(body, modernHeaders('tools/call', slow)) + body;
    const handshake = initializeBody('2025-11-25');
    const host = await connectLegacy(started.url);
    const inSession = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: slow });
    const ofSession = head(inSession, { 'Mcp-Session-Id': host.session }) + inSession;
    const texts = [
      '',
      'POST /mcp HT',
      whole.slice(0, -body.length),
      whole.slice(0, -10),
      whole,
      whole + whole,
      head(handshake) + handshake,
      ofSession.replace('"id":1', '"id":2'),
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${host.session}\r\n\r\n`,
      'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ];
    for (const text of texts) {
      for (const waitMs of [0, 5, 40]) {
        const socket = await socketWith(text);
        await pause(waitMs);
        if (waitMs === 5) socket.destroy();
        else socket.resetAndDestroy();
      }
    }
    await pause(200);
    await works();
    expect((await host.ask('ping')).result).toEqual({});
    await host.end();
  });

  it(verifies('downstream:breakage:during-stream'), async () => {
    for (const count of [1, 3]) {
      const params = { name: 'raw__progress', arguments: { count: 50, every: 5 } };
      const answer = await openModern(started.url, 'tools/call', params, { meta: { progressToken: 'p' } });
      await expect.poll(() => answer.messages.length).toBeGreaterThanOrEqual(count);
      answer.leave();
      await answer.ended;
    }
    await works();
    await expect
      .poll(
        async () =>
          (await receivedLines(started.url)).filter((line) => line.includes('notifications/cancelled'))
            .length,
      )
      .toBeGreaterThanOrEqual(2);
  });

  it(verifies('downstream:breakage:modern-server'), async () => {
    const answer = await openModern(
      started.url,
      'tools/call',
      { name: 'far__endless', arguments: {} },
      {
        meta: { progressToken: 't' },
      },
    );
    await answer.until(() => true);
    const call = upstream.seen.findLast(({ message }) => message.method === 'tools/call');
    answer.leave();
    // Over HTTP the end of the connection is the cancellation.
    await expect.poll(() => call?.hasLeft).toBe(true);
  });

  it(verifies('downstream:breakage:before-start'), async () => {
    await using cold = await startGateway({ raw: rawServer('--delay', '400') });
    const sending = sendModern(cold.url, 'tools/call', {
      name: 'raw__slow',
      arguments: { ms: 60_000, payload: 'abandoned' },
    });
    sending.answer.catch(() => undefined);
    await pause(100);
    sending.leave();
    await cold.gateway.settled();
    await pause(100);
    const lines = await receivedLines(cold.url);
    const call = lines.find((line) => line.includes('abandoned'));
    // A call that its host gave up before it could be sent is not left running.
    const { id } = JSON.parse(call ?? '{"id":-1}') as { id: number };
    expect(call === undefined || lines.some((line) => line.includes(`"requestId":${id},`))).toBe(true);
  });

  it(verifies('downstream:breakage:handshake'), async () => {
    await using cold = await startGateway(
      { raw: rawServer('--delay', '300') },
      { limits: { maxSessions: 1 } },
    );
    const { port } = new URL(cold.url);
    const body = initializeBody('2025-11-25');
    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head(body) + body));
      socket.on('error', () => undefined);
      return socket;
    });
    await pause(50);
    for (const socket of sockets) socket.destroy();
    await cold.gateway.settled();
    // Sessions that nobody can know of do not stand in the way of the only one there may be.
    const host = await connectLegacy(cold.url);
    expect((await host.ask('ping')).result).toEqual({});
  });
});

describe('a host that reads slowly', () => {
  it(verifies('downstream:slow-reader:document'), async () => {
    // The only server with resources, so that nothing in its results can need another form.
    await using own = await startGateway(
      { far: { url: upstream.url } },
      { limits: { messageBytes: 1024 * MIB } },
    );
    const answer = await openModern(own.url, 'tools/call', { name: 'far__large', arguments: {} });
    answer.pause();
    await pause(500);
    const before = written;
    await pause(300);
    // Nothing more is taken from the server than the buffers in between hold.
    expect(written).toBe(before);
    expect(written).toBeLessThan(64);
    await works();
    answer.leave();
    await answer.ended;
    await expect.poll(() => upstream.seen.at(-1)?.hasLeft).toBe(true);
  });

  it(verifies('downstream:slow-reader:notifications'), async () => {
    const before = heldBytes();
    const told = sentBytes;
    const params = { name: 'far__endless', arguments: {} };
    const answers = await Promise.all(
      [1, 2, 3].map(async () => {
        const answer = await openModern(started.url, 'tools/call', params, { meta: { progressToken: 't' } });
        answer.pause();
        return answer;
      }),
    );
    await expect.poll(() => sentBytes - told, { timeout: 30_000 }).toBeGreaterThan(300 * MIB);
    const grown = heldBytes() - before;
    await works();
    for (const answer of answers) answer.leave();
    // Each may leave a few megabytes unread.
    expect(grown).toBeLessThan(60 * MIB);
  });
});

/** What this process holds once its garbage is gone. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('a body of many megabytes', () => {
  it(verifies('downstream:body:refused-early'), async () => {
    await using small = await startGateway({}, { limits: { requestBodyBytes: 1024 } });
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(small.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 40 * MIB },
      });
      sent.on('response', (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      });
      sent.on('error', reject);
      const part = Buffer.alloc(MIB, 'x');
      let count = 0;
      const more = (): void => {
        while (count < 40) {
          count++;
          if (!sent.write(part)) return void sent.once('drain', more);
        }
        sent.end();
      };
      more();
    });
    expect(status).toBe(413);
    expect((await exchange(small.url, { method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('sessions', () => {
  it(verifies('downstream:sessions:full'), async () => {
    await using full = await startGateway({}, { limits: { maxSessions: 2 } });
    const [first, second] = [await connectLegacy(full.url), await connectLegacy(full.url)];
    const [a, b] = [await first.listen(), await second.listen()];
    const refused = await exchange(full.url, { body: initializeBody('2025-11-25', {}, 'x') });
    expect([refused.status, refused.headers['retry-after'], refused.headers['mcp-session-id']]).toEqual([
      503,
      '30',
      undefined,
    ]);
    expect(JSON.parse(refused.body)).toMatchObject({
      id: 'x',
      error: { message: expect.stringContaining('maxSessions') as string },
    });
    a.leave();
    await a.ended;
    // The one without a stream gives way.
    await expect
      .poll(async () => (await exchange(full.url, { body: initializeBody('2025-11-25') })).status)
      .toBe(200);
    expect((await second.ask('ping')).result).toEqual({});
    const gone = await first.open('ping');
    await gone.ended;
    expect(gone.status).toBe(404);
    b.leave();
  });
});
