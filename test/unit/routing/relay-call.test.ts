import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/domain/index.ts';
import { resource, tool } from '../catalog/fake-server.ts';
import { verifies } from '../../requirements/routing.ts';
import {
  connected,
  type FakeConnection,
  FakeExchange,
  frameOf,
  type Gateway,
  gatewayOf,
  type Received,
  requestOf,
  type RequestOptions,
} from './harness.ts';

type Era = 'modern' | 'legacy';

interface Relayed {
  readonly gateway: Gateway;
  readonly connection: FakeConnection;
  readonly exchange: FakeExchange;
  readonly received: Received;
}

async function relayed(
  host: Era,
  upstream: Era,
  options: RequestOptions = {},
  exchange = new FakeExchange(),
): Promise<Relayed> {
  const { server, connection } = connected('s', upstream, {
    tool: [tool('t')],
    resource: [resource('file:///a')],
  });
  const gateway = gatewayOf([server]);
  await gateway.catalog.settled(1_000);
  gateway.relay(requestOf(host, 'tools/call', { name: 's__t' }, options), exchange);
  return { gateway, connection, exchange, received: connection.only };
}

const QUESTION =
  '{"jsonrpc":"2.0","id":"q\\u0031","method":"elicitation/create","params":{"message":"name?","n":1.0}}';

describe('a question in the course of a call', () => {
  it(verifies('routing:questions:asked-or-refused'), async () => {
    const exchange = new FakeExchange();
    exchange.canAsk = true;
    const { received, connection } = await relayed('legacy', 'legacy', {}, exchange);
    received.say(QUESTION);
    expect(exchange.asked[0]?.bytes.toString()).toBe(QUESTION);
    exchange.answer?.(
      frameOf('{"jsonrpc":"2.0","result":{"action":"accept","content":{"n":1.0}},"id":"tollgate-1"}'),
    );
    expect(connection.replied).toEqual([
      '{"jsonrpc":"2.0","result":{"action":"accept","content":{"n":1.0}},"id":"q\\u0031"}',
    ]);
    exchange.answer?.(frameOf('{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"declined"}}'));
    expect(connection.replied[1]).toBe(
      '{"jsonrpc":"2.0","id":"q\\u0031","error":{"code":-1,"message":"declined"}}',
    );
  });

  it('is refused at once when the host cannot be asked, or is of the other era', async () => {
    const refusals: unknown[] = [];
    for (const host of ['legacy', 'modern'] as const) {
      const exchange = new FakeExchange();
      exchange.canAsk = host === 'modern';
      const { received, connection } = await relayed(host, 'legacy', {}, exchange);
      received.say(QUESTION);
      refusals.push(...connection.replied.map((text) => JSON.parse(text) as unknown));
      expect(exchange.asked).toEqual([]);
    }
    const refusal = {
      jsonrpc: '2.0',
      id: 'q1',
      error: { code: -32601, message: 'The host cannot answer elicitation/create' },
    };
    expect(refusals).toEqual([refusal, refusal]);
  });

  it('that cannot be read is refused, and the call goes on', async () => {
    const exchange = new FakeExchange();
    exchange.canAsk = true;
    exchange.ask = () => {
      frameOf('{"jsonrpc":"2.0","a":1,"a":2,"method":"x"}');
      return true;
    };
    const { received, connection } = await relayed('legacy', 'legacy', {}, exchange);
    received.say(QUESTION);
    expect(connection.replied).toHaveLength(1);
    received.respond('{"content":[]}');
    expect(exchange.result).toEqual({ content: [] });
  });
});

describe('a notification in the course of a call', () => {
  const log = (level: string): string =>
    `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":${level},"data":1.0}}`;
  const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

  it(verifies('routing:messages:log-level'), async () => {
    const heard = async (host: Era, logLevel: string | undefined): Promise<string[]> => {
      const { received, exchange } = await relayed(host, host, { logLevel });
      for (const level of LEVELS) received.say(log(JSON.stringify(level)));
      return exchange.messages.map(
        (text) => (JSON.parse(text) as { params: { level: string } }).params.level,
      );
    };
    expect(await heard('modern', undefined)).toEqual([]);
    expect(await heard('legacy', undefined)).toEqual(LEVELS);
    for (const [index, level] of LEVELS.entries()) {
      expect(await heard('modern', level)).toEqual(LEVELS.slice(index));
      expect(await heard('legacy', level)).toEqual(LEVELS.slice(index));
    }
  });

  it('of a level that is none reaches only hosts that never set one', async () => {
    for (const [host, logLevel, expected] of [
      ['legacy', undefined, 2],
      ['legacy', 'debug', 0],
      ['modern', 'debug', 0],
    ] as const) {
      const { received, exchange } = await relayed(host, host, { logLevel });
      received.say(log('7'));
      received.say(log('"loud"'));
      expect(exchange.messages).toHaveLength(expected);
    }
  });

  it('of any other kind passes byte for byte', async () => {
    const { received, exchange } = await relayed('modern', 'legacy');
    const texts = [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1.0,"x":[null]}}',
      '{"method":"notifications/future","jsonrpc":"2.0"}',
    ];
    for (const text of texts) received.say(text);
    expect(exchange.messages).toEqual(texts);
  });

  it(verifies('routing:messages:malformed-dropped'), async () => {
    const { received, exchange } = await relayed('modern', 'modern', { logLevel: 'debug' });
    const twice =
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","level":"debug"}}';
    expect(() => received.say(twice)).not.toThrow();
    expect(exchange.messages).toEqual([]);
    received.respond('{"content":[]}');
    expect(exchange.result).toEqual({ content: [] });
  });

  it('that breaks on the host’s side ends its call and leaves the connection alone', async () => {
    const exchange = new FakeExchange();
    exchange.message = () => {
      throw new Error('a fault');
    };
    const { received } = await relayed('modern', 'modern', {}, exchange);
    received.say('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}');
    expect(exchange.error).toMatchObject({ code: 'INTERNAL', cause: new Error('a fault') });
  });
});

describe('a response', () => {
  it(verifies('routing:inbound:streams'), async () => {
    const { received, exchange } = await relayed('modern', 'modern');
    expect(received.call.wantsWhole).toBe(false);
    const { sink } = received;
    sink.responseStart(6);
    expect(exchange.started).toBe(6);
    expect(sink.responseChunk(Buffer.from('abc'))).toBe(true);
    exchange.isFull = true;
    expect(sink.responseChunk(Buffer.from('def'))).toBe(false);
    exchange.drain();
    expect(received.resumed).toBe(1);
    sink.rest?.();
    expect(exchange.rests).toBe(1);
    sink.responseEnd();
    expect(exchange.text).toBe('abcdef');
  });

  it('is wanted whole only where its bytes may have to change', async () => {
    expect((await relayed('legacy', 'legacy')).received.call.wantsWhole).toBe(false);
    expect((await relayed('modern', 'legacy')).received.call.wantsWhole).toBe(true);
    expect((await relayed('legacy', 'modern')).received.call.wantsWhole).toBe(true);
    const [tools, files] = [
      connected('s', 'modern', { tool: [tool('t')] }, { capabilities: { tools: {} } }),
      connected('f', 'modern', { resource: [resource('file:///a')] }),
    ];
    const gateway = gatewayOf([tools.server, files.server]);
    await gateway.catalog.settled(1_000);
    gateway.relay(requestOf('modern', 'tools/call', { name: 's__t' }));
    expect(tools.connection.only.call.wantsWhole).toBe(true);
  });

  it('that cannot be passed on fails the request, and names the server', async () => {
    for (const result of ['7', '{"a":1,"a":2}']) {
      const { received, exchange } = await relayed('modern', 'legacy');
      received.respond(result);
      expect(exchange.error).toMatchObject({ code: 'UPSTREAM_MALFORMED', data: { server: 's' } });
      expect(exchange.error?.message).toContain('Server s answered with');
    }
  });

  it('that tells of a missing capability is a fault of the request, towards its own era', async () => {
    const error =
      '{"code":-32021,"message":"needs sampling","data":{"requiredCapabilities":{"sampling":{}}}}';
    const { received, exchange } = await relayed('modern', 'modern');
    received.refuse(error);
    expect(exchange.ending.status).toBe(400);
    const others = await relayed('modern', 'legacy');
    others.received.refuse(error);
    expect(others.exchange.ending.status).toBe(200);
    const usual = await relayed('modern', 'modern');
    usual.received.refuse('{"code":-32602,"message":"no"}');
    expect([usual.exchange.ending.status, usual.exchange.text]).toEqual([
      200,
      '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}',
    ]);
  });

  it('that never comes fails the request with what the connection says', async () => {
    const { received, exchange } = await relayed('modern', 'modern');
    const error = new GatewayError('UPSTREAM_CLOSED', 'server "s" went away');
    received.sink.failure(error);
    expect(exchange.error).toBe(error);
  });
});
