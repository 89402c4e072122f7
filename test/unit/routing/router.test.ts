import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionsOf, fakeServer, prompt, resource, template, tool } from '../catalog/fake-server.ts';
import { type Era, GatewayError, type ServerDefinitions } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/routing.ts';
import {
  connected,
  ENVELOPE,
  FakeConnection,
  FakeExchange,
  type Gateway,
  gatewayOf,
  requestOf,
  type RequestOptions,
  turns,
} from './harness.ts';

const LISTS = {
  tool: [tool('read'), tool('a b')],
  prompt: [prompt('review')],
  resource: [resource('file:///a')],
  template: [template('repo://{owner}/{name}{?ref}')],
};
const down = (what: string): GatewayError => new GatewayError('UPSTREAM_UNREACHABLE', what);
const call = (name: string, options: RequestOptions = {}): Parameters<Gateway['relay']>[0] =>
  requestOf('modern', 'tools/call', { name, arguments: { q: 1 } }, options);

async function listed(...args: Parameters<typeof gatewayOf>): Promise<Gateway> {
  const gateway = gatewayOf(...args);
  await gateway.catalog.settled(1_000);
  return gateway;
}

describe('a relayed request', () => {
  it(verifies('routing:outbound:native-name'), async () => {
    const [a, b] = [connected('a', 'modern', LISTS), connected('b', 'modern', LISTS)];
    const gateway = await listed([a.server, b.server]);
    const cleaned = gateway.catalog
      .current()
      .entries('tool')
      .find(({ server, native }) => server === 'b' && native === 'a b');
    const sent = (method: string, params: object | string): readonly [unknown, readonly string[]] => {
      b.connection.received.length = 0;
      gateway.relay(requestOf('modern', method, params));
      return [b.connection.only.params, b.connection.only.call.headers];
    };
    expect(sent('tools/call', { name: 'b__read' })).toEqual([{ name: 'read' }, ['mcp-name', 'read']]);
    expect(sent('tools/call', '{"name":"\\u0062__read"}')).toEqual([{ name: 'read' }, ['mcp-name', 'read']]);
    expect(sent('tools/call', { name: cleaned?.exposed })).toEqual([{ name: 'a b' }, ['mcp-name', 'a b']]);
    expect(sent('prompts/get', { name: 'b__review', arguments: { x: 'y' } })).toEqual([
      { name: 'review', arguments: { x: 'y' } },
      ['mcp-name', 'review'],
    ]);
    expect(sent('resources/read', { uri: 'file://b.tollgate//a' })).toEqual([
      { uri: 'file:///a' },
      ['mcp-name', 'file:///a'],
    ]);
    expect(sent('resources/read', { uri: 'repo://b.tollgate/o/n%2Fm?ref=x' })).toEqual([
      { uri: 'repo://o/n%2Fm?ref=x' },
      ['mcp-name', 'repo://o/n%2Fm?ref=x'],
    ]);
    const argument = { argument: { name: 'owner', value: 'm' }, context: { arguments: { owner: 'x' } } };
    expect(
      sent('completion/complete', {
        ref: { type: 'ref/prompt', name: 'b__review', title: 't' },
        ...argument,
      }),
    ).toEqual([{ ref: { type: 'ref/prompt', name: 'review', title: 't' }, ...argument }, []]);
    const shape = 'repo://b.tollgate/{owner}/{name}{?ref}';
    expect(sent('completion/complete', { ref: { type: 'ref/resource', uri: shape }, ...argument })).toEqual([
      { ref: { type: 'ref/resource', uri: 'repo://{owner}/{name}{?ref}' }, ...argument },
      [],
    ]);
    expect(
      sent('completion/complete', {
        ref: { type: 'ref/resource', uri: 'file://b.tollgate//a' },
        ...argument,
      })[0],
    ).toMatchObject({
      ref: { uri: 'file:///a' },
    });
  });

  it('leaves a copy of its result in its notes where results are counted, and of nothing else', async () => {
    const result = '{"content":[{"type":"text","text":"é"}]}';
    const { server, connection } = connected('s', 'legacy', LISTS);
    const gateway = await listed([server], { keepsResults: true });
    const called = gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }));
    connection.only.respond(result);
    expect(Buffer.from(called.notes.result ?? []).toString('utf8')).toBe(result);
    const got = gateway.relay(requestOf('legacy', 'prompts/get', { name: 's__review' }));
    connection.received.at(-1)?.respond('{"messages":[]}');
    expect(got.text).toContain('"messages":[]');
    expect(got.notes).toEqual({ upstream: 's', name: 'review' });
  });

  it('is answered with the very bytes, its notes say where it went, and nothing mirrors towards a handshake server', async () => {
    const { server, connection } = connected('s', 'legacy', LISTS);
    const gateway = await listed([server]);
    const exchange = gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }));
    connection.only.respond('{"content":[{"type":"text","text":"x","n":1.0}]}');
    expect(exchange.text).toBe(
      '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"x","n":1.0}]}}',
    );
    expect(exchange.notes).toEqual({ upstream: 's', name: 'read', tool: 's__read' });
    expect(connection.only.call).toMatchObject({
      method: 'tools/call',
      headers: [],
      idleMs: 60_000,
      maxMs: 600_000,
    });
  });

  it('without a bare name of its own is served where the namespace is empty', async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    const gateway = await listed([server], { bare: 's' });
    gateway.relay(call('read'));
    expect(connection.only.params).toMatchObject({ name: 'read' });
  });

  it(verifies('routing:ends:exactly-once'), async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    const gateway = await listed([server]);
    const params = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.constantFrom(
        '{"name":"s__read","name":"s__read"}',
        '{"name":"s__read","_meta":{"a":1,"a":2}}',
        '{"name":7}',
        '{"uri":7}',
        '{"ref":7}',
        '{"ref":{"type":"ref/prompt"}}',
        '{"ref":{"type":"ref/resource","uri":null}}',
        '{"ref":{"type":"ref/prompt","name":"s__review","name":"x"}}',
        '{"name":"s__read"}',
      ),
    );
    connection.onCall = (received) => received.respond('{"content":[]}');
    await fc.assert(
      fc.asyncProperty(
        params,
        fc.constantFrom<Era>('modern', 'legacy'),
        fc.constantFrom('tools/call', 'prompts/get', 'resources/read', 'completion/complete'),
        async (text, era, method) => {
          const exchange = gateway.relay(requestOf(era, method, text));
          await turns();
          expect(exchange.endings).toHaveLength(1);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('that can be read in two ways is the host’s fault, and what breaks here is not', async () => {
    const { server, connection } = connected('s', 'legacy', LISTS);
    const gateway = await listed([server]);
    for (const params of ['{"name":"s__read","name":"x"}', '{"name":"s__read","_meta":{"a":1,"a":2}}']) {
      expect(gateway.relay(requestOf('modern', 'tools/call', params)).error?.code).toBe('REQUEST_INVALID');
    }
    for (const params of [{}, { name: 7 }, { name: null }]) {
      expect(gateway.relay(requestOf('modern', 'tools/call', params)).error).toMatchObject({
        code: 'REQUEST_PARAMS',
        message: 'params.name must be a string',
      });
    }
    connection.onCall = () => {
      throw new Error('a fault');
    };
    expect(gateway.relay(call('s__read')).error).toMatchObject({
      code: 'INTERNAL',
      message: 'The request could not be served',
    });
    expect(gateway.router.isRelayed('tools/call')).toBe(true);
    expect(gateway.router.isRelayed('tools/list')).toBe(false);
  });
});

describe('the first request to a process', () => {
  it(verifies('routing:cold:lists-first'), async () => {
    const requests: readonly (readonly [string, object])[] = [
      ['tools/call', { name: 's__read' }],
      ['prompts/get', { name: 's__review' }],
      ['resources/read', { uri: 'file:///a' }],
      ['resources/read', { uri: 'repo://o/n' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 's__review' } }],
      ['completion/complete', { ref: { type: 'ref/resource', uri: 'repo://{owner}/{name}{?ref}' } }],
    ];
    for (const [method, params] of requests) {
      const [{ server, connection }, other] = [connected('s', 'modern', LISTS), fakeServer('other')];
      connection.onCall = (received) => received.respond('{}');
      const gateway = gatewayOf([server, other]);
      // Five hosts at once; the server is listed once.
      const exchanges = Array.from({ length: 5 }, () => gateway.relay(requestOf('modern', method, params)));
      await turns();
      expect(exchanges.map((exchange) => exchange.result)).toEqual(exchanges.map(() => ({})));
      expect(server.listed).toHaveLength(1);
    }
  });

  it('finds what was added since the last list', async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    connection.onCall = (received) => received.respond('{}');
    const gateway = await listed([server]);
    server.answer = definitionsOf({ tool: [tool('new')] });
    const early = gateway.relay(call('s__new'));
    await turns();
    expect(early.error?.code).toBe('NAME_UNKNOWN');
    gateway.clock.advance(5_001);
    const late = gateway.relay(call('s__new'));
    await turns();
    expect(late.result).toEqual({});
  });

  it(verifies('routing:cold:unreachable'), async () => {
    const [server, other] = [fakeServer('s'), fakeServer('other')];
    server.answer = server.opening = down('server "s" is down');
    const gateway = gatewayOf([server, other]);
    for (const made of [
      call('s__read'),
      requestOf('modern', 'resources/read', { uri: 'x://s.tollgate/a' }),
    ]) {
      const exchange = gateway.relay(made);
      await turns();
      expect(exchange.error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: 'server "s" is down' });
    }
    const unknown = gateway.relay(call('other__read'));
    await turns();
    expect(unknown.error?.code).toBe('NAME_UNKNOWN');
  });

  it(verifies('routing:cold:connects-on-demand'), async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    const gateway = await listed([server]);
    server.connection = undefined;
    server.opening = down('still down');
    const failed = gateway.relay(call('s__read'));
    await turns();
    expect(failed.error).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', message: 'still down' });
    expect(server.demanded).toEqual([undefined]);
    server.opening = connection;
    const served = gateway.relay(call('s__read'));
    await turns();
    connection.only.respond('{"content":[]}');
    expect(served.result).toEqual({ content: [] });
  });
});

describe('a request that its host gives up', () => {
  it(verifies('routing:cancel:reaches-upstream'), async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    const gateway = await listed([server]);
    const running = gateway.relay(call('s__read'));
    running.cancel('no longer needed');
    expect(connection.only.cancelled).toBe('no longer needed');

    // While its server is being opened.
    connection.received.length = 0;
    server.connection = undefined;
    let open: (connection: FakeConnection) => void = () => undefined;
    server.opening = new Promise((resolve) => {
      open = resolve;
    });
    const waiting = gateway.relay(call('s__read'));
    await turns();
    waiting.cancel();
    open(connection);
    await turns();
    expect(connection.received).toEqual([]);

    // While its owner is being listed.
    const cold = connected('c', 'modern', LISTS);
    let list: (found: ServerDefinitions) => void = () => undefined;
    cold.server.answer = new Promise((resolve) => {
      list = resolve;
    });
    const searching = gatewayOf([cold.server]).relay(call('c__read'));
    await turns();
    searching.cancel();
    list(definitionsOf(LISTS));
    await turns();
    expect(cold.connection.received).toEqual([]);
    expect([waiting.endings, searching.endings]).toEqual([[], []]);
  });
});

describe('mirrored headers', () => {
  const annotated = tool('t', {
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        deep: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
      },
    },
  });
  const mirrored = (args: string, headers?: Record<string, string>): Parameters<Gateway['relay']>[0] =>
    requestOf(
      headers === undefined ? 'legacy' : 'modern',
      'tools/call',
      `{"name":"s__t","arguments":${args},"_meta":{${ENVELOPE}}}`,
      {
        ...(headers === undefined ? {} : { headers }),
      },
    );

  it(verifies('routing:headers:checked'), async () => {
    const { server, connection } = connected('s', 'modern', { tool: [annotated] });
    const gateway = await listed([server]);
    const headersFor = (args: string, headers?: Record<string, string>): readonly string[] => {
      connection.received.length = 0;
      const exchange = gateway.relay(mirrored(args, headers));
      if (exchange.endings.length > 0) throw exchange.error ?? new Error('answered');
      return connection.only.call.headers;
    };
    expect(
      headersFor('{"region":"eu west","deep":{"n":42}}', {
        'mcp-param-region': 'eu west',
        'mcp-param-n': '42.0',
      }),
    ).toEqual(['mcp-name', 't', 'mcp-param-region', 'eu west', 'mcp-param-n', '42']);
    expect(headersFor('{"region":"é"}', { 'mcp-param-region': '=?base64?w6k=?=' })).toEqual([
      'mcp-name',
      't',
      'mcp-param-region',
      '=?base64?w6k=?=',
    ]);
    expect(() => headersFor('{"region":"eu"}', {})).toThrow('mcp-param-region is missing');
    expect(() => headersFor('{"region":"eu"}', { 'mcp-param-region': 'us' })).toThrow('does not match');
    expect(() => headersFor('{}', { 'mcp-param-region': 'us' })).toThrow('the body has no such value');
    // A handshake host mirrors nothing; its server gets the digits that the body has.
    expect(headersFor('{"deep":{"n":9007199254740993}}')).toEqual([
      'mcp-name',
      't',
      'mcp-param-n',
      '9007199254740993',
    ]);
    expect(headersFor('{"deep":{"n":1e3},"region":null}')).toEqual(['mcp-name', 't', 'mcp-param-n', '1000']);
    expect(headersFor('null')).toEqual(['mcp-name', 't']);
  });

  const mismatch = new GatewayError('UPSTREAM_REFUSED', 'at odds', { data: { upstreamCode: -32020 } });

  it(verifies('routing:headers:retried-once'), async () => {
    const { server, connection } = connected('s', 'modern', { tool: [tool('t')] });
    const gateway = await listed([server]);
    const exchange = gateway.relay(mirrored('{"region":"eu"}'));
    expect(connection.only.call.headers).toEqual(['mcp-name', 't']);
    server.answer = definitionsOf({ tool: [annotated] });
    connection.only.sink.failure(mismatch);
    await turns();
    expect(connection.received[1]?.call.headers).toEqual(['mcp-name', 't', 'mcp-param-region', 'eu']);
    connection.received[1]?.respond('{"content":[]}');
    expect(exchange.result).toEqual({ content: [] });

    connection.received.length = 0;
    const refused = gateway.relay(mirrored('{"region":"eu"}'));
    connection.received[0]?.sink.failure(mismatch);
    await turns();
    connection.received[1]?.sink.failure(mismatch);
    await turns();
    expect(connection.received).toHaveLength(2);
    expect(refused.error).toBe(mismatch);
  });

  it('that became outdated make the host correct itself, and a tool that is gone is unknown', async () => {
    const { server, connection } = connected('s', 'modern', { tool: [tool('t')] });
    const gateway = await listed([server]);
    const outdated = gateway.relay(mirrored('{"region":"eu"}', {}));
    server.answer = definitionsOf({ tool: [annotated] });
    connection.only.sink.failure(mismatch);
    await turns();
    expect(outdated.error?.code).toBe('HEADER_MISMATCH');
    connection.received.length = 0;
    const gone = gateway.relay(mirrored('{}'));
    server.answer = definitionsOf({});
    connection.only.sink.failure(mismatch);
    await turns();
    expect(gone.error?.code).toBe('NAME_UNKNOWN');
  });

  it('are no reason to try again for any other failure', async () => {
    const { server, connection } = connected('s', 'modern', { tool: [tool('t')] });
    const gateway = await listed([server]);
    const exchange = gateway.relay(mirrored('{}'));
    const other = new GatewayError('UPSTREAM_REFUSED', 'no');
    connection.only.sink.failure(other);
    await turns();
    expect([exchange.error, connection.received.length]).toEqual([other, 1]);
  });
});

describe('a host that can answer questions', () => {
  const asking = {
    capabilities: { sampling: {}, elicitation: { form: {} }, roots: {}, other: {} },
    sessionKey: 'mine',
  };

  it(verifies('routing:connections:own-for-answering-hosts'), async () => {
    const { server, connection } = connected('s', 'legacy', LISTS);
    const own = new FakeConnection('legacy');
    server.owned = new Map();
    server.opening = own;
    const gateway = await listed([server]);
    gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }, asking));
    await turns();
    expect([connection.received.length, own.received.length]).toEqual([0, 1]);
    expect(server.demanded).toEqual([
      { owner: 'mine', capabilities: { sampling: {}, elicitation: { form: {} }, roots: {} } },
    ]);
    // The second call finds it open, and waits for nothing.
    gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }, asking));
    expect(own.received).toHaveLength(2);
    // Hosts that answer nothing, and stateless ones, share.
    gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }, { sessionKey: 'other' }));
    gateway.relay(
      requestOf('modern', 'tools/call', { name: 's__read' }, { capabilities: asking.capabilities }),
    );
    expect(connection.received).toHaveLength(2);
  });

  it('shares the connection of a stateless server, which is told with each request who asks', async () => {
    const { server, connection } = connected('s', 'modern', LISTS);
    server.owned = new Map();
    const gateway = await listed([server]);
    gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }, asking));
    expect(connection.received).toHaveLength(1);
  });

  it('opens the shared connection first where nothing is known of the server’s era', async () => {
    const { server } = connected('s', 'legacy', LISTS);
    const gateway = await listed([server]);
    const [shared, own] = [new FakeConnection('legacy'), new FakeConnection('legacy')];
    server.connection = undefined;
    server.owned = new Map([['mine', own]]);
    server.opening = shared;
    const exchange = new FakeExchange();
    gateway.relay(requestOf('legacy', 'tools/call', { name: 's__read' }, asking), exchange);
    await turns();
    expect([shared.received.length, own.received.length]).toEqual([0, 1]);
  });
});
