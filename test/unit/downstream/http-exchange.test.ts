import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/domain/index.ts';
import { plainEventStream } from '../../../src/downstream/event-stream.ts';
import {
  createHttpExchange,
  type HttpExchange,
  type HttpExchangeDeps,
} from '../../../src/downstream/http-exchange.ts';
import { createWaitingRegister } from '../../../src/downstream/http-server.ts';
import type { Outcome } from '../../../src/downstream/outcome.ts';
import { verifies } from '../../requirements/downstream.ts';
import { manualClock } from '../upstream/manual-clock.ts';
import { hostOf, summaries } from './exchanges.ts';
import { asResponse, FakeResponse } from './fake-response.ts';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"é":1}}';

function begun(era: 'legacy' | 'modern' = 'modern', more: Partial<HttpExchangeDeps> = {}) {
  const res = new FakeResponse();
  const clock = manualClock();
  const waiting = createWaitingRegister();
  const outcomes: Outcome[] = [];
  const exchange: HttpExchange = createHttpExchange({
    res: asResponse(res),
    host: hostOf(era),
    method: 'tools/call',
    idText: '1',
    requestBytes: 10,
    clock,
    extraHeaders: ['x-own', 'yes'],
    openStream: plainEventStream,
    needsStream: false,
    outgoing: (frame) => frame,
    ask: () => true,
    onEnd: (outcome) => outcomes.push(outcome),
    waiting,
    ...more,
  });
  return { res, clock, waiting, outcomes, exchange };
}

describe('an answer over HTTP', () => {
  it('is one document when the response comes first', () => {
    const { res, exchange, clock, outcomes, waiting } = begun();
    clock.advance(7);
    exchange.respond(Buffer.from(RESULT), 200);
    expect([res.status, res.headers, res.text, res.writableEnded]).toEqual([
      200,
      {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(RESULT)),
        'x-own': 'yes',
      },
      RESULT,
      true,
    ]);
    const responseBytes = Buffer.byteLength(RESULT);
    expect(summaries(outcomes)).toEqual([{ status: 'ok', requestBytes: 10, responseBytes, durationMs: 7 }]);
    expect(waiting.isEmpty).toBe(true);
  });

  it('is the same document when it is too large for one write', () => {
    const { res, exchange } = begun();
    const large = Buffer.from(RESULT.replace('1}', `"${'é'.repeat(70_000)}"}`));
    exchange.respond(large, 200);
    expect(res.text).toBe(large.toString());
  });

  it('is a stream when something comes before the response', () => {
    const { res, exchange, outcomes } = begun();
    exchange.message(Buffer.from('{"n":1}'));
    exchange.respond(Buffer.from(RESULT), 200);
    expect([res.status, res.headers]).toEqual([
      200,
      {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        'x-own': 'yes',
      },
    ]);
    expect(res.text).toBe(`data: {"n":1}\n\ndata: ${RESULT}\n\n`);
    expect(outcomes).toHaveLength(1);
  });

  it('has a status of its own in the stateless revision, and 200 in a session', () => {
    const error = new GatewayError('METHOD_UNKNOWN', 'no');
    for (const [era, status] of [
      ['modern', 404],
      ['legacy', 200],
    ] as const) {
      const { res, exchange, outcomes } = begun(era);
      exchange.fail(error);
      expect([res.status, outcomes[0]?.status, outcomes[0]?.error]).toEqual([
        status,
        'METHOD_UNKNOWN',
        error,
      ]);
    }
    const relayed = begun('legacy');
    relayed.exchange.respond(Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'), 400);
    expect([relayed.res.status, relayed.outcomes[0]?.status]).toEqual([200, 'error']);
  });

  it('is never a stream for a host that reads none', () => {
    const { res, exchange, waiting } = begun('modern', { openStream: undefined });
    exchange.message(Buffer.from('{"n":1}'));
    waiting.keepAlive(20_000, 10_000);
    expect([res.headersSent, exchange.question(Buffer.from('{}'))]).toEqual([false, false]);
    exchange.respond(Buffer.from(RESULT), 200);
    expect(res.text).toBe(RESULT);
  });

  it('is always a stream for a host that reads nothing else, errors of the request apart', () => {
    const result = begun('modern', { needsStream: true });
    result.exchange.respond(Buffer.from(RESULT), 200);
    expect(result.res.text).toBe(`data: ${RESULT}\n\n`);
    const large = begun('modern', { needsStream: true });
    large.exchange.respondStart(10);
    for (const part of [RESULT.slice(0, 9), RESULT.slice(9)]) large.exchange.respondChunk(Buffer.from(part));
    large.exchange.respondEnd();
    expect(large.res.text).toBe(`data: ${RESULT}\n\n`);
    const refused = begun('modern', { needsStream: true });
    refused.exchange.fail(new GatewayError('HEADER_MISMATCH', 'no'));
    expect([refused.res.status, refused.res.headers['content-type']]).toEqual([400, 'application/json']);
  });
});

describe('a large result', () => {
  it('goes through as it comes, at the pace of the host', () => {
    const { res, exchange, outcomes } = begun();
    let drained = 0;
    exchange.onDrain(() => drained++);
    exchange.respondStart(41);
    expect(res.headers['content-length']).toBe('41');
    expect(exchange.respondChunk(Buffer.from('{"a":'))).toBe(true);
    res.hasRoom = false;
    expect(exchange.respondChunk(Buffer.from('1'))).toBe(false);
    res.emit('drain');
    expect(drained).toBe(1);
    exchange.respondChunk(Buffer.from('}'));
    exchange.respondEnd();
    expect([res.text, res.writableEnded, outcomes[0]?.responseBytes]).toEqual(['{"a":1}', true, 7]);
  });

  it('has no length where its server gave none', () => {
    const { res, exchange } = begun();
    exchange.respondStart(undefined);
    expect(res.headers).not.toHaveProperty('content-length');
  });

  it('becomes one event once a stream is open', () => {
    const { res, exchange } = begun();
    exchange.message(Buffer.from('{"n":1}'));
    exchange.respondStart(7);
    expect(exchange.respondChunk(Buffer.from('{"a":'))).toBe(true);
    expect(res.text).not.toContain('{"a":');
    exchange.respondChunk(Buffer.from('1}'));
    exchange.respondEnd();
    expect(res.text).toBe('data: {"n":1}\n\ndata: {"a":1}\n\n');
  });

  it('that breaks in the middle breaks the connection', () => {
    const { res, exchange, outcomes } = begun();
    exchange.respondStart(100);
    exchange.respondChunk(Buffer.from('{"a":'));
    exchange.fail(new GatewayError('UPSTREAM_CLOSED', 'gone'));
    expect([res.destroyed, res.writableEnded, outcomes.map(({ status }) => status)]).toEqual([
      true,
      false,
      ['UPSTREAM_CLOSED'],
    ]);
  });

  it(verifies('downstream:exchange:no-reader'), () => {
    // A host of a session that leaves does not cancel its call; the server must not wait for it to read.
    const { res, exchange, outcomes } = begun('legacy');
    let drained = 0;
    exchange.onDrain(() => drained++);
    exchange.respondStart(undefined);
    res.hasRoom = false;
    expect(exchange.respondChunk(Buffer.from('a'))).toBe(false);
    res.close();
    expect(drained).toBe(1);
    expect(exchange.respondChunk(Buffer.from('b'))).toBe(true);
    exchange.respondEnd();
    expect(outcomes.map(({ status }) => status)).toEqual(['ok']);
  });
});

describe('the end of a request', () => {
  const endings: [string, (exchange: HttpExchange, res: FakeResponse) => void][] = [
    ['its response', (exchange) => exchange.respond(Buffer.from(RESULT), 200)],
    ['its error', (exchange) => exchange.fail(new GatewayError('INTERNAL', 'x'))],
    [
      'the end of its large result',
      (exchange) => {
        exchange.respondStart(undefined);
        exchange.respondEnd();
      },
    ],
    ['a cancellation', (exchange) => exchange.cancel('enough')],
    ['the end of its connection', (_exchange, res) => res.close()],
  ];

  it.each(endings)('comes once: after %s nothing is written and nobody told', (_what, end) => {
    const { res, exchange, outcomes, waiting } = begun();
    let cancelled = 0;
    exchange.onCancel(() => cancelled++);
    end(exchange, res);
    const { text } = res;
    const told = cancelled;
    for (const [, again] of endings) again(exchange, res);
    exchange.message(Buffer.from('late'));
    exchange.respondChunk(Buffer.from('late'));
    waiting.keepAlive(20_000, 10_000);
    expect(exchange.question(Buffer.from('late'))).toBe(false);
    expect(exchange.ask(undefined as never, () => undefined)).toBe(false);
    expect([outcomes.length, res.text, cancelled, waiting.isEmpty]).toEqual([1, text, told, true]);
  });

  it('is a cancellation when a stateless host leaves, and none when a host of a session does', () => {
    const reasons: string[] = [];
    const modern = begun('modern');
    modern.exchange.onCancel((reason) => reasons.push(reason));
    modern.res.close();
    expect([reasons, modern.outcomes[0]?.status]).toEqual([['The host closed the connection'], 'cancelled']);
    const legacy = begun('legacy');
    legacy.exchange.onCancel((reason) => reasons.push(reason));
    legacy.res.close();
    expect([reasons.length, legacy.outcomes]).toEqual([1, []]);
    legacy.exchange.message(Buffer.from('{}'));
    legacy.exchange.respond(Buffer.from(RESULT), 200);
    expect([legacy.res.headersSent, legacy.outcomes[0]?.status]).toEqual([false, 'ok']);
  });

  it('by cancellation is told to who begins to work on it too late', () => {
    const { res, exchange } = begun();
    res.close();
    const reasons: string[] = [];
    exchange.onCancel((reason) => reasons.push(reason));
    expect(reasons).toEqual(['The host closed the connection']);
    const answered = begun();
    answered.exchange.respond(Buffer.from(RESULT), 200);
    answered.exchange.onCancel((reason) => reasons.push(reason));
    expect(reasons).toHaveLength(1);
  });

  it('by a message of its host ends the HTTP request without a response', () => {
    const plain = begun('legacy');
    plain.exchange.cancel('enough');
    expect([plain.res.status, plain.res.writableEnded]).toEqual([200, true]);
    const streaming = begun('legacy');
    streaming.exchange.message(Buffer.from('{"n":1}'));
    streaming.exchange.cancel('enough');
    expect([streaming.res.text, streaming.res.writableEnded]).toEqual(['data: {"n":1}\n\n', true]);
    const raw = begun('legacy');
    raw.exchange.respondStart(10);
    raw.exchange.cancel('enough');
    expect([raw.res.destroyed, raw.res.text]).toEqual([true, '']);
  });
});

describe('a request that waits', () => {
  it(verifies('downstream:waiting:signs-of-life'), () => {
    const { res, clock, waiting, exchange } = begun();
    clock.advance(9_999);
    waiting.keepAlive(clock.now(), 10_000);
    expect(res.headersSent).toBe(false);
    clock.advance(1);
    waiting.keepAlive(clock.now(), 10_000);
    waiting.keepAlive(clock.now(), 10_000);
    expect([res.status, res.text]).toEqual([200, ': keep-alive\n\n: keep-alive\n\n']);
    exchange.fail(new GatewayError('UPSTREAM_TIMEOUT', 'late'));
    expect(res.text).toContain('"code":-32603');
    waiting.keepAlive(clock.now(), 10_000);
    expect(res.text.match(/keep-alive/g)).toHaveLength(2);
  });

  it('shows none in the middle of a document, nor to a host that has left', () => {
    const raw = begun();
    raw.exchange.respondStart(10);
    raw.waiting.keepAlive(20_000, 10_000);
    expect(raw.res.text).toBe('');
    const gone = begun('legacy');
    gone.res.close();
    gone.waiting.keepAlive(20_000, 10_000);
    expect([gone.res.headersSent, gone.res.text]).toEqual([false, '']);
  });

  it('is sent its questions however far behind it is, and what is not for it not at all', () => {
    const { res, exchange } = begun('legacy', {
      outgoing: (frame) => (frame.includes('hidden') ? undefined : frame),
    });
    exchange.message(Buffer.from('hidden'));
    expect(res.headersSent).toBe(false);
    res.writableLength = 5 * 1024 * 1024;
    exchange.message(Buffer.from('progress'));
    expect(exchange.question(Buffer.from('question'))).toBe(true);
    expect(res.text).toBe('data: question\n\n');
  });
});
