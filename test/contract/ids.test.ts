import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawServer, startGateway, type StartedGateway } from '../helpers/gateway.ts';
import { askModern, connectLegacy, envelope, modernHeaders, openModern, textOf } from '../helpers/hosts.ts';
import { answerWith, type ModernUpstream, startModernUpstream } from '../helpers/modern-upstream.ts';
import { exchange } from '../helpers/raw-http.ts';
import { verifies } from '../requirements/downstream.ts';

let upstream: ModernUpstream;
let started: StartedGateway;
beforeAll(async () => {
  upstream = await startModernUpstream({
    tools: [{ name: 'slow', inputSchema: { type: 'object' } }],
    answer: ({ message }, res) => {
      const { ms, payload } = message.params['arguments'] as { ms: number; payload: string };
      const result = { resultType: 'complete', content: [{ type: 'text', text: payload }] };
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
      setTimeout(() => answerWith(res, text), ms);
    },
  });
  started = await startGateway({ raw: rawServer(), far: { url: upstream.url } });
  await started.gateway.settled();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const SERVERS = ['raw', 'far'] as const;
const slow = (server: string, payload: string, ms = Math.random() * 60): Record<string, unknown> => ({
  name: `${server}__slow`,
  arguments: { ms, payload },
});

/** Ids as a host may write them. */
const SPELLINGS = [
  '0',
  '"0"',
  '"1"',
  '"01"',
  '1',
  '1.5',
  '-7',
  '1e3',
  '9007199254740991',
  '123456789012345678901234567890',
  '""',
  '"\\u0061\\n"',
  '"é😀"',
  `"${'long'.repeat(5000)}"`,
];

describe('request ids', () => {
  it(verifies('downstream:ids:equal-of-many'), async () => {
    for (const server of SERVERS) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_none, index) =>
          askModern(started.url, 'tools/call', slow(server, `payload ${index}`), { id: 1 }),
        ),
      );
      expect(answers.map(textOf)).toEqual(Array.from({ length: 50 }, (_none, index) => `payload ${index}`));
      expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set([1]));
    }
  });

  it(verifies('downstream:ids:echoed'), async () => {
    const legacy = await connectLegacy(started.url, { version: '2025-06-18' });
    for (const id of SPELLINGS) {
      for (const server of SERVERS) {
        const params = JSON.stringify({ ...slow(server, 'x', 0), _meta: envelope() });
        const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
        const headers = modernHeaders('tools/call', { name: `${server}__slow` });
        const { body: answer } = await exchange(started.url, { headers, body });
        expect(answer).toContain(`"id":${id},`);
      }
      for (const method of ['ping', 'tools/list', 'no/such']) {
        const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
        const { body: answer } = await exchange(started.url, { headers: legacy.headers, body });
        expect(answer).toContain(`"id":${id},`);
      }
    }
    await legacy.end();
  });

  it(verifies('downstream:ids:duplicate-in-flight'), async () => {
    const host = await connectLegacy(started.url, { version: '2025-06-18' });
    const first = host.ask('tools/call', slow('raw', 'the first', 300), 5);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const spelling of ['5', '5.0', '50e-1']) {
      const body = `{"jsonrpc":"2.0","id":${spelling},"method":"ping"}`;
      const { status, body: text } = await exchange(started.url, { headers: host.headers, body });
      expect([status, text]).toEqual([
        400,
        expect.stringContaining(`"id":${spelling},"error":{"code":-32600`),
      ]);
    }
    // The same text as a string is another id, and another session has ids of its own.
    expect((await host.ask('ping', {}, '5')).result).toEqual({});
    const other = await connectLegacy(started.url);
    expect((await other.ask('ping', {}, 5)).result).toEqual({});
    expect(textOf(await first)).toBe('the first');
    await Promise.all([host.end(), other.end()]);
  });

  it(verifies('downstream:ids:stateless-duplicates'), async () => {
    const answers = await Promise.all(
      ['a', 'b'].map((payload) =>
        askModern(started.url, 'tools/call', slow('raw', payload, 50), { id: 'same' }),
      ),
    );
    expect(answers.map(textOf)).toEqual(['a', 'b']);
  });
});

describe('every revision in front of every era', () => {
  it(verifies('downstream:versions:matrix'), async () => {
    for (const version of [
      '2024-10-07',
      '2024-11-05',
      '2025-03-26',
      '2025-06-18',
      '2025-11-25',
      '2026-07-28',
    ]) {
      for (const hasVersionHeader of [true, false]) {
        const host = await connectLegacy(started.url, { version, hasVersionHeader });
        for (const server of SERVERS) {
          const answer = await host.ask('tools/call', slow(server, `${version} over ${server}`, 0));
          expect(answer.result).toEqual({ content: [{ type: 'text', text: `${version} over ${server}` }] });
        }
        await host.end();
      }
    }
    for (const server of SERVERS) {
      const answer = await askModern(started.url, 'tools/call', slow(server, 'stateless', 0));
      expect(answer.result).toMatchObject({ resultType: 'complete', content: [{ text: 'stateless' }] });
    }
    // Each hop has a revision of its own: none of the hosts' reached the other side.
    const versions = upstream.seen.map(({ headers, message }) => [
      headers['mcp-protocol-version'],
      (message.params['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/protocolVersion'],
      headers['mcp-session-id'],
    ]);
    expect(new Set(versions.map((seen) => JSON.stringify(seen)))).toEqual(
      new Set([JSON.stringify(['2026-07-28', '2026-07-28', undefined])]),
    );
  });
});

describe('progress tokens', () => {
  it(verifies('downstream:progress:colliding-tokens'), async () => {
    const params = { name: 'raw__progress', arguments: { count: 5, every: 5 } };
    const tokens = [1, '1', 1, 'same', 'same', 0];
    const legacy = await connectLegacy(started.url, { version: '2025-06-18' });
    const ofLegacy = legacy.open('tools/call', { ...params, _meta: { progressToken: '1' } });
    const answers = await Promise.all([
      ...tokens.map((progressToken) =>
        openModern(started.url, 'tools/call', params, { meta: { progressToken } }),
      ),
      ofLegacy,
    ]);
    await Promise.all(answers.map((answer) => answer.ended));
    for (const [index, answer] of answers.entries()) {
      const progress = answer.messages.filter(({ method }) => method === 'notifications/progress');
      expect(progress.map((message) => message.params?.['progressToken'])).toEqual(
        Array.from({ length: 5 }, () => tokens[index] ?? '1'),
      );
      expect(progress.map((message) => message.params?.['progress'])).toEqual([1, 2, 3, 4, 5]);
      expect(answer.messages.at(-1)?.result).toBeDefined();
    }
    await legacy.end();
  });
});
