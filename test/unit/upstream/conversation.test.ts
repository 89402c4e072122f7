import { describe, expect, it } from 'vitest';
import { nativeUri } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/upstream.ts';
import { bench, place, rejection, result, stdio } from './harness.ts';

const named = (name: string): { params: string } => ({ params: JSON.stringify({ name, arguments: {} }) });

describe.concurrent('a server that asks', () => {
  it(verifies('upstream:questions:ping'), async () => {
    await using server = bench(stdio('asking'));
    const connection = await server.upstream.connect();
    expect(await result(connection, {}, 'pong')).toEqual({ pong: {}, greeting: 'initialized' });
    expect(server.heard.filter(({ what }) => what === 'request')).toEqual([]);
  });

  it(verifies('upstream:questions:one-call'), async () => {
    await using server = bench(stdio('asking'));
    const connection = await server.upstream.connect();
    const reply = (text: string): void => {
      const { id } = JSON.parse(text) as { id: string };
      connection.reply(
        Buffer.from(`{"jsonrpc":"2.0","id":"${id}","result":{"action":"accept","content":{"n":1.0}}}`),
      );
    };
    const alone = place(connection, { ...named('ask'), onMessage: reply });
    expect(await alone.done).toMatchObject({ kind: 'response' });
    expect(alone.messages).toHaveLength(1);
    expect(alone.messages[0]).toContain('"method":"elicitation/create"');
    const other = place(connection, named('wait'));
    const together = place(connection, named('ask'));
    const { text, connection: source } = await server.next('request');
    expect(source).toBe(connection);
    reply(text ?? '');
    expect(await together.done).toMatchObject({ kind: 'response' });
    expect([...together.messages, ...other.messages]).toEqual([]);
    await other.done;
  });

  it('outside any call asks the gateway', async () => {
    await using server = bench(stdio('asking'));
    const connection = await server.upstream.connect();
    // The list is the gateway's own; it makes no question somebody's.
    await Promise.all([server.upstream.list(['tool']), result(connection, {}, 'announce')]);
    expect(server.heard.map(({ what }) => what)).toContain('listChanged');
  });
});

describe.concurrent('a change of a server', () => {
  it(verifies('upstream:changes:list-changed'), async () => {
    await using server = bench(stdio('asking'));
    await result(await server.upstream.connect(), {}, 'announce');
    expect(server.heard.filter(({ what }) => what === 'listChanged')).toEqual([
      { what: 'listChanged', text: 'tool' },
    ]);
  });

  it('of a watched resource is reported, and the watch is shared and kept', async () => {
    await using server = bench(stdio('asking'));
    const uri = nativeUri('a://b');
    const [first, second] = await Promise.all([server.upstream.watch(uri), server.upstream.watch(uri)]);
    expect(await server.next('resourceUpdated')).toEqual({ what: 'resourceUpdated', text: uri });
    first();
    first();
    const from = server.heard.length;
    const { pid } = server.upstream.status();
    if (pid === undefined) throw new Error('no process');
    process.kill(pid, 'SIGKILL');
    // Subscribed again on the new process, which answers with an update.
    expect(await server.next('resourceUpdated', from)).toMatchObject({ text: uri });
    second();
  });

  it('cannot be watched where the server does not offer it', async () => {
    await using server = bench(stdio('echo'));
    expect(await rejection(server.upstream.watch(nativeUri('a://b')))).toMatchObject({
      code: 'UPSTREAM_UNSUPPORTED',
      message: 'server "faulty" does not report changes of resources',
    });
  });
});

describe.concurrent('a modern server on one channel', () => {
  it('has its subscription and its calls told apart', async () => {
    await using server = bench(stdio('listening'), { restart: { initialDelayMs: 20, maxDelayMs: 40 } });
    const connection = await server.upstream.connect();
    const release = await server.upstream.watch(nativeUri('a://b'));
    await result(connection, {}, 'change');
    expect(await server.next('listChanged')).toMatchObject({ text: 'tool' });
    expect(await server.next('resourceUpdated')).toMatchObject({ text: 'a://b' });
    const chat = place(connection, { params: '{"name":"chat","_meta":{"progressToken":"mine"}}' });
    await chat.done;
    expect(chat.messages).toHaveLength(2);
    expect(chat.messages[1]).toContain('"progressToken":"mine"');
    // Its revision has no requests from servers; one that comes anyway concerns nobody.
    const ask = place(connection, named('ask'));
    await ask.done;
    expect(ask.messages).toEqual([]);
    expect(server.heard.filter(({ what }) => what === 'request')).toEqual([]);
    release();
  });

  it('that ends the subscription is asked for another', async () => {
    await using server = bench(stdio('listening'), { restart: { initialDelayMs: 20, maxDelayMs: 40 } });
    const connection = await server.upstream.connect();
    await result(connection, {}, 'end');
    expect(await server.next('listChanged')).toMatchObject({ text: 'tool,prompt,resource,template' });
    const { heard } = await result(connection, {}, 'count');
    expect((heard as string[]).filter((method) => method === 'subscriptions/listen')).toHaveLength(2);
    expect(heard).not.toContain('notifications/cancelled');
  });
});
