import { describe, expect, it } from 'vitest';
import { createListenStreams, openListenStream } from '../../../src/downstream/listen.ts';
import type { Exchange, HostRequest, Hub, Subscriber } from '../../../src/routing/index.ts';
import { scanFrame } from '../../../src/wire/index.ts';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
};

function listening(notifications: unknown, idText = '7') {
  const sent: Message[] = [];
  const responses: string[] = [];
  const watched: string[] = [];
  const subscribers = new Set<Subscriber>();
  const pending = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  let cancel: ((reason: string) => void) | undefined;
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => (settle = resolve));
  const hub = {
    add: (subscriber: Subscriber) => {
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    },
    watch: (_subscriber: Subscriber, uri: string) => {
      watched.push(uri);
      return new Promise<void>((resolve, reject) => pending.set(uri, { resolve, reject }));
    },
  } as unknown as Hub;
  const streams = createListenStreams();
  const exchange = {
    message: (frame: Buffer) => sent.push(JSON.parse(frame.toString()) as Message),
    respond: (frame: Buffer) => responses.push(frame.toString()),
    onCancel: (listener: (reason: string) => void) => (cancel = listener),
  } as unknown as Exchange;
  const frame = scanFrame(Buffer.from(`{"jsonrpc":"2.0","id":${idText},"method":"subscriptions/listen"}`));
  const request = {
    host: { principal: { id: 'p', profile: 'default' } },
    idText,
    frame,
    params: { notifications },
  } as unknown as HostRequest;
  const opened = openListenStream(
    { hub, streams, serverInfoText: '{"name":"t"}', settled: () => settled },
    request,
    exchange,
  );
  return {
    sent,
    responses,
    watched,
    subscribers,
    pending,
    streams,
    opened,
    settle: () => settle(),
    cancel: () => cancel?.('gone'),
    subscriber: () => [...subscribers][0] as Subscriber,
  };
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a stream that listens', () => {
  it('acknowledges first, with what it honours of what was asked for', async () => {
    const { sent, opened } = listening({
      toolsListChanged: true,
      promptsListChanged: false,
      resourcesListChanged: 'yes',
      taskIds: ['t'],
      unheardOf: true,
    });
    await opened;
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          _meta: { 'io.modelcontextprotocol/subscriptionId': 7 },
          notifications: { toolsListChanged: true },
        },
      },
    ]);
  });

  it('uses the id of its request as it was written', async () => {
    for (const [idText, id] of [
      ['"seven"', 'seven'],
      ['7.0', 7],
      ['"\\u0061"', 'a'],
    ] as const) {
      const { sent, opened } = listening({}, idText);
      await opened;
      expect(sent[0]?.params?.['_meta']).toEqual({ 'io.modelcontextprotocol/subscriptionId': id });
    }
  });

  it('tells what happens before the acknowledgment right behind it', async () => {
    const { sent, opened, subscriber, pending, settle } = listening({
      toolsListChanged: true,
      resourceSubscriptions: ['a://1', 'a://2', 'a://1'],
    });
    settle();
    await tick();
    subscriber().notify('notifications/tools/list_changed', undefined);
    pending.get('a://1')?.resolve();
    await tick();
    subscriber().notify('notifications/resources/updated', { uri: 'a://1' });
    expect(sent).toEqual([]);
    pending.get('a://2')?.reject(new Error('nobody watches this'));
    await opened;
    expect(sent.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/resources/updated',
    ]);
    expect(sent[0]?.params?.['notifications']).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a://1'],
    });
    expect(sent[2]?.params).toEqual({ _meta: { 'io.modelcontextprotocol/subscriptionId': 7 }, uri: 'a://1' });
  });

  it('wants the lists that were asked for, and no other', async () => {
    const { subscriber, opened } = listening({ promptsListChanged: true });
    await opened;
    expect((['tools', 'prompts', 'resources'] as const).map((list) => subscriber().wants(list))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('ends with a result when the gateway does, once', async () => {
    const { streams, responses, opened, subscribers } = listening({}, '"x"');
    await opened;
    streams.endAll();
    streams.endAll();
    expect(responses.map((text) => JSON.parse(text) as unknown)).toEqual([
      {
        jsonrpc: '2.0',
        id: 'x',
        result: {
          resultType: 'complete',
          _meta: {
            'io.modelcontextprotocol/subscriptionId': 'x',
            'io.modelcontextprotocol/serverInfo': { name: 't' },
          },
        },
      },
    ]);
    expect(subscribers.size).toBe(0);
  });

  it('is forgotten when its host leaves', async () => {
    const { streams, responses, opened, subscribers, cancel } = listening({ toolsListChanged: true });
    await opened;
    cancel();
    streams.endAll();
    expect([subscribers.size, responses]).toEqual([0, []]);
  });

  it.each([undefined, null, [], 'all', { resourceSubscriptions: 'a://1' }, { resourceSubscriptions: [1] }])(
    'is refused for a filter of %j',
    async (filter) => {
      const { opened, subscribers } = listening(filter);
      await expect(opened).rejects.toMatchObject({ code: 'REQUEST_PARAMS' });
      expect(subscribers.size).toBe(0);
    },
  );
});
