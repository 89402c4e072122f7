import { describe, expect, it } from 'vitest';
import { DEFAULT_PROFILE, GatewayError, nativeUri, serverId } from '../../../src/domain/index.ts';
import {
  legacyNotification,
  type ListKind,
  type SessionVoice,
  type Subscriber,
} from '../../../src/routing/index.ts';
import type { Frame } from '../../../src/wire/index.ts';
import {
  definitionsOf,
  fakeServer,
  type FakeServer,
  prompt,
  resource,
  template,
  tool,
} from '../catalog/fake-server.ts';
import { verifies } from '../../requirements/routing.ts';
import { FakeConnection, frameOf, type Gateway, gatewayOf, hostOf, turns } from './harness.ts';

class Listener implements Subscriber {
  readonly principal;
  readonly heard: string[] = [];
  readonly logged: string[] = [];
  readonly asked: Frame[] = [];
  answer: ((answer: Frame) => void) | undefined;
  canAsk = true;
  readonly #wanted: readonly ListKind[];
  readonly session?: SessionVoice;

  constructor(
    options: { profile?: string; wanted?: readonly ListKind[]; sessionKey?: string; logLevel?: string } = {},
  ) {
    const {
      profile = DEFAULT_PROFILE,
      wanted = ['tools', 'prompts', 'resources'],
      sessionKey,
      logLevel,
    } = options;
    this.principal = { id: 'someone', profile };
    this.#wanted = wanted;
    if (sessionKey === undefined) return;
    this.session = {
      host: () => hostOf('legacy', { sessionKey, logLevel }),
      log: (frame) => this.logged.push(frame.toString()),
      ask: (question, onAnswer) => {
        this.asked.push(question);
        this.answer = onAnswer;
        return this.canAsk;
      },
    };
  }

  wants(list: ListKind): boolean {
    return this.#wanted.includes(list);
  }

  notify(method: string, params: Readonly<Record<string, unknown>> | undefined): void {
    this.heard.push(params === undefined ? method : `${method} ${JSON.stringify(params)}`);
  }
}

const RESOURCES = {
  resource: [resource('file:///a'), resource('file:///dir/')],
  template: [template('x://{id}')],
};

async function listed(
  servers: readonly FakeServer[],
  options: Parameters<typeof gatewayOf>[1] = {},
): Promise<Gateway> {
  const gateway = gatewayOf(servers, options);
  await gateway.catalog.settled(1_000);
  return gateway;
}

describe('changes of lists', () => {
  it(verifies('routing:hub:changes-to-those-who-want'), async () => {
    const [a, b] = [
      fakeServer('a', { tool: [tool('t')], prompt: [prompt('p')] }),
      fakeServer('b', { tool: [tool('t')] }),
    ];
    const gateway = await listed([a, b], {
      profiles: [
        { name: 'only-a', servers: ['a'] },
        { name: 'filtered', servers: ['b'], tools: { deny: ['*new*'] } },
      ],
    });
    const all = new Listener();
    const promptsOnly = new Listener({ wanted: ['prompts'] });
    const onlyA = new Listener({ profile: 'only-a' });
    const filtered = new Listener({ profile: 'filtered' });
    const gone = new Listener();
    for (const listener of [all, promptsOnly, onlyA, filtered]) gateway.hub.add(listener);
    gateway.hub.add(gone)();

    let inForce: unknown;
    const witness = new Listener();
    witness.notify = () => {
      inForce = gateway.catalog.current().tool('b__new')?.native;
    };
    gateway.hub.add(witness);
    b.answer = definitionsOf({ tool: [tool('t'), tool('new')] });
    await gateway.catalog.reread(b.id);
    expect([all, promptsOnly, onlyA, filtered, gone].map((listener) => listener.heard)).toEqual([
      ['notifications/tools/list_changed'],
      [],
      [],
      [],
      [],
    ]);
    expect(inForce).toBe('new');

    a.answer = definitionsOf({ tool: [tool('t', { title: 'T' })], resource: [resource('x:1')] });
    await gateway.catalog.reread(a.id);
    expect(onlyA.heard).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    expect(promptsOnly.heard).toEqual(['notifications/prompts/list_changed']);
  });

  it('are told when a template changes, and not when a server only fails', async () => {
    const server = fakeServer('s', RESOURCES);
    const gateway = await listed([server]);
    const listener = new Listener();
    gateway.hub.add(listener);
    server.answer = new GatewayError('UPSTREAM_CLOSED', 'gone');
    gateway.catalog.markTrouble(server.id, server.answer);
    await gateway.catalog.reread(server.id);
    expect(listener.heard).toEqual([]);
    server.answer = definitionsOf({ ...RESOURCES, template: [template('x://{id}{?v}')] });
    await gateway.catalog.reread(server.id);
    expect(listener.heard).toEqual(['notifications/resources/list_changed']);
  });
});

describe('watching resources', () => {
  const updated = (uri: string): string => `notifications/resources/updated ${JSON.stringify({ uri })}`;

  it(verifies('routing:hub:updates'), async () => {
    const [a, b] = [fakeServer('a', RESOURCES), fakeServer('b', RESOURCES)];
    const gateway = await listed([a, b]);
    const [one, two, none] = [new Listener(), new Listener(), new Listener()];
    for (const listener of [one, two, none]) gateway.hub.add(listener);
    await gateway.hub.watch(one, 'file:///a');
    await gateway.hub.watch(two, 'file://b.tollgate//a');
    await gateway.hub.watch(two, 'file://b.tollgate//dir/');
    expect([a.watched, b.watched].map((watches) => watches.map(({ uri }) => uri))).toEqual([
      ['file:///a'],
      ['file:///a', 'file:///dir/'],
    ]);
    for (const uri of ['file:///a', 'file:///ab', 'file:///dir/x/y', 'file:///a#part', 'file:///']) {
      gateway.hub.resourceUpdated(b.id, nativeUri(uri));
    }
    expect(two.heard).toEqual([
      updated('file://b.tollgate//a'),
      updated('file://b.tollgate//dir/x/y'),
      updated('file://b.tollgate//a#part'),
    ]);
    gateway.hub.resourceUpdated(a.id, nativeUri('file:///a'));
    expect([one.heard, none.heard]).toEqual([[updated('file:///a')], []]);
  });

  it('of which the caller may know nothing fails as for one that does not exist', async () => {
    const [a, b] = [fakeServer('a', RESOURCES), fakeServer('b', RESOURCES)];
    const gateway = await listed([a, b], {
      rules: [{ id: 'a', resources: { deny: ['file:///a'] } }],
      profiles: [{ name: 'only-a', servers: ['a'] }],
    });
    const listener = new Listener({ profile: 'only-a' });
    gateway.hub.add(listener);
    for (const uri of ['file:///a', 'file://b.tollgate//a', 'file://none.tollgate//a']) {
      await expect(gateway.hub.watch(listener, uri)).rejects.toMatchObject({
        code: 'NAME_UNKNOWN',
        message: `Unknown resource: ${uri}`,
        data: { uri },
      });
    }
    expect([a.watched, b.watched]).toEqual([[], []]);
  });

  it('finds the server of a URI that was never listed, and says what is wrong with one that cannot be', async () => {
    const server = fakeServer('s', RESOURCES);
    server.identity = undefined;
    const gateway = gatewayOf([server]);
    const listener = new Listener();
    gateway.hub.add(listener);
    await gateway.hub.watch(listener, 'x://1');
    expect(server.watched.map(({ uri }) => uri)).toEqual(['x://1']);
    const dead = fakeServer('dead');
    dead.identity = undefined;
    dead.answer = new GatewayError('UPSTREAM_UNREACHABLE', 'server "dead" is down');
    const other = gatewayOf([dead]);
    other.hub.add(listener);
    await expect(other.hub.watch(listener, 'x://1')).rejects.toThrow('server "dead" is down');
  });

  it(verifies('routing:hub:watches-released'), async () => {
    const server = fakeServer('s', RESOURCES);
    const gateway = await listed([server]);
    const released = (): boolean[] => server.watched.map(({ isReleased }) => isReleased);
    const listener = new Listener();
    const leave = gateway.hub.add(listener);
    await gateway.hub.watch(listener, 'file:///a');
    await gateway.hub.watch(listener, 'file:///a');
    expect(released()).toEqual([false]);
    gateway.hub.unwatch(listener, 'file:///a');
    expect(released()).toEqual([true]);
    await gateway.hub.watch(listener, 'file:///a');
    leave();
    leave();
    expect(released()).toEqual([true, true]);
    gateway.hub.resourceUpdated(server.id, nativeUri('file:///a'));
    expect(listener.heard).toEqual([]);
    await gateway.hub.watch(listener, 'file:///a');
    expect(server.watched).toHaveLength(2);
  });

  it('that is given up while the server is being asked ends as soon as it agreed', async () => {
    for (const giveUp of ['leave', 'unwatch'] as const) {
      const server = fakeServer('s', RESOURCES);
      const gateway = await listed([server]);
      const listener = new Listener();
      const leave = gateway.hub.add(listener);
      let agree: () => void = () => undefined;
      server.watching = new Promise((resolve) => {
        agree = resolve;
      });
      const watching = gateway.hub.watch(listener, 'file:///a');
      await turns();
      if (giveUp === 'leave') leave();
      else gateway.hub.unwatch(listener, 'file:///a');
      agree();
      await watching;
      expect(server.watched).toEqual([{ uri: 'file:///a', isReleased: true }]);
    }
  });

  it('that the server refuses can be tried again', async () => {
    const server = fakeServer('s', RESOURCES);
    const gateway = await listed([server]);
    const listener = new Listener();
    gateway.hub.add(listener);
    server.watching = Promise.reject(new GatewayError('UPSTREAM_UNSUPPORTED', 'cannot watch'));
    await expect(gateway.hub.watch(listener, 'file:///a')).rejects.toThrow('cannot watch');
    server.watching = Promise.resolve();
    await gateway.hub.watch(listener, 'file:///a');
    expect(server.watched).toHaveLength(2);
  });
});

describe('what a server says outside of any call', () => {
  const log = frameOf(
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}',
  );
  const question = frameOf('{"jsonrpc":"2.0","id":1.0,"method":"roots/list"}');
  const s = serverId('s');

  it('is logged to the sessions that it can mean, at the level that each asked for', async () => {
    const gateway = await listed([fakeServer('s'), fakeServer('other')], {
      profiles: [{ name: 'elsewhere', servers: ['other'] }],
    });
    const [plain, quiet, elsewhere, modern] = [
      new Listener({ sessionKey: 'plain' }),
      new Listener({ sessionKey: 'quiet', logLevel: 'error' }),
      new Listener({ sessionKey: 'elsewhere', profile: 'elsewhere' }),
      new Listener(),
    ];
    for (const listener of [plain, quiet, elsewhere, modern]) gateway.hub.add(listener);
    gateway.hub.notification(s, log, undefined);
    gateway.hub.notification(s, log, 'quiet');
    expect(plain.logged).toEqual([log.bytes.toString()]);
    gateway.hub.notification(s, log, 'plain');
    gateway.hub.notification(s, frameOf('{"jsonrpc":"2.0","method":"notifications/other"}'), undefined);
    gateway.hub.notification(
      s,
      frameOf('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","level":"x"}}'),
      undefined,
    );
    expect([plain, quiet, elsewhere, modern].map(({ logged }) => logged.length)).toEqual([2, 0, 0, 0]);
  });

  it(verifies('routing:hub:questions'), async () => {
    const gateway = await listed([fakeServer('s'), fakeServer('other')], {
      profiles: [{ name: 'elsewhere', servers: ['other'] }],
    });
    const connection = new FakeConnection('legacy');
    const refusal =
      '{"jsonrpc":"2.0","id":1.0,"error":{"code":-32601,"message":"No host can be asked this"}}';
    const ask = (owner?: string): string | undefined => {
      connection.replied.length = 0;
      gateway.hub.question(s, { connection, frame: question, owner });
      return connection.replied[0];
    };
    expect(ask()).toBe(refusal);
    const [one, elsewhere] = [
      new Listener({ sessionKey: 'one' }),
      new Listener({ sessionKey: 'far', profile: 'elsewhere' }),
    ];
    gateway.hub.add(one);
    gateway.hub.add(elsewhere);
    expect(ask()).toBeUndefined();
    one.answer?.(frameOf('{"jsonrpc":"2.0","id":"tollgate-1","result":{"roots":[]}}'));
    expect(connection.replied).toEqual(['{"jsonrpc":"2.0","id":1.0,"result":{"roots":[]}}']);
    // Two sessions could be meant; the owner of a connection is certain.
    const two = new Listener({ sessionKey: 'two' });
    gateway.hub.add(two);
    expect(ask()).toBe(refusal);
    expect(ask('two')).toBeUndefined();
    expect([one.asked.length, two.asked.length, elsewhere.asked.length]).toEqual([1, 1, 0]);
    expect(ask('nobody')).toBe(refusal);
    two.canAsk = false;
    expect(ask('two')).toBe(refusal);
  });
});

describe('a notification for a handshake host', () => {
  it('has params only where there are some', () => {
    expect(legacyNotification('notifications/tools/list_changed', undefined).toString()).toBe(
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
    );
    expect(legacyNotification('notifications/resources/updated', { uri: 'é:1' }).toString()).toBe(
      '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"é:1"}}',
    );
  });
});
