import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements/upstream.ts';
import { bench, failure, isRunning, place, rejection, result, stdio, until } from './harness.ts';

const dying = (how: string): { params: string } => ({
  params: JSON.stringify({ name: 't', arguments: { how } }),
});

describe.concurrent('a process that ends', () => {
  it(verifies('upstream:stdio:crash'), async () => {
    await using server = bench(stdio('crash'));
    for (const how of ['exit 1', 'exit 0', 'SIGKILL', 'close stdout']) {
      const connection = await server.upstream.connect({ isDemanded: true });
      const { pid } = await result(connection);
      const pending = ['never', 'never', 'never', how].map((way) => place(connection, dying(way)));
      const errors = await Promise.all(pending.map(failure));
      expect(errors.map(({ code }) => code)).toEqual(Array.from(pending, () => 'UPSTREAM_CLOSED'));
      expect(connection.isOpen).toBe(false);
      await until(() => !isRunning(pid as number));
    }
    // Asked at the same time, one process is started for all.
    const again = await Promise.all([1, 2, 3].map(() => server.upstream.connect({ isDemanded: true })));
    expect(new Set(again).size).toBe(1);
    const pids = await Promise.all(again.map((connection) => result(connection)));
    expect(new Set(pids.map(({ pid }) => pid)).size).toBe(1);
    expect(server.upstream.status()).toMatchObject({ state: 'ready', restarts: 4 });
  });

  it('says how it ended and what it last wrote, with secrets hidden', async () => {
    await using server = bench(stdio('crash'), {}, { redact: (text) => text.replaceAll('hunter2', '***') });
    const connection = await server.upstream.connect();
    const error = await failure(place(connection, dying('exit 1')));
    expect(error.message).toBe(
      'server "faulty" ended with exit code 1; its last output: fatal: the password is ***',
    );
    expect(error.data).toMatchObject({ server: 'faulty', exitCode: 1 });
  });

  it('is started again by itself, and the gateway is told both times', async () => {
    await using server = bench(stdio('crash'));
    const connection = await server.upstream.connect();
    await failure(place(connection, dying('SIGKILL')));
    await server.next('disconnected');
    await server.next(
      'connected',
      server.heard.findIndex(({ what }) => what === 'disconnected'),
    );
    expect(server.heard.map(({ what }) => what)).toEqual([
      'connected',
      'closed',
      'disconnected',
      'connected',
    ]);
  });

  it(verifies('upstream:stdio:broken-pipe'), async () => {
    await using server = bench(stdio('crash'));
    const connection = await server.upstream.connect();
    place(connection, dying('close stdin'));
    const large = JSON.stringify({ name: 't', arguments: { pad: 'x'.repeat(1_000_000) } });
    const errors = await Promise.all([1, 2, 3].map(() => failure(place(connection, { params: large }))));
    expect(errors.map(({ code }) => code)).toEqual(['UPSTREAM_CLOSED', 'UPSTREAM_CLOSED', 'UPSTREAM_CLOSED']);
    const next = await server.upstream.connect({ isDemanded: true });
    expect(await result(next)).toHaveProperty('pid');
  });
});

describe.concurrent('a process', () => {
  it(verifies('upstream:stdio:environment'), async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate env ')));
    const transport = { ...stdio('environment'), env: { OWN: 'a=b c' }, cwd, inheritEnv: ['SHARED_CA'] };
    const gatewayEnv = {
      PATH: process.env['PATH'],
      HOME: '/home/x',
      SECRET_A: 'of another server',
      HTTPS_PROXY: 'http://u:p@proxy',
      SHARED_CA: '/ca.pem',
    };
    await using server = bench(transport, {}, { gatewayEnv });
    const seen = await result(await server.upstream.connect());
    expect(seen).toEqual({
      env: { PATH: process.env['PATH'], HOME: '/home/x', OWN: 'a=b c', SHARED_CA: '/ca.pem' },
      cwd,
    });
  });

  it(verifies('upstream:stdio:whole-group'), { timeout: 10_000 }, async () => {
    await using server = bench(stdio('stubborn'));
    const { pids } = await result(await server.upstream.connect());
    const startedMs = Date.now();
    await server.upstream.close();
    expect(Date.now() - startedMs).toBeLessThan(4_000);
    expect((pids as number[]).map(isRunning)).toEqual([false, false]);
    expect(server.upstream.status().state).toBe('closed');
  });

  it(verifies('upstream:stdio:not-found'), async () => {
    await using server = bench({ ...stdio('echo'), command: 'no-such-command' } as never);
    const error = await rejection(server.upstream.connect());
    expect(error).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: expect.stringContaining('the command "no-such-command" was not found') as string,
      data: { reason: 'configuration' },
    });
    await using elsewhere = bench({ ...stdio('echo'), cwd: '/no/such/folder' } as never);
    expect((await rejection(elsewhere.upstream.connect())).message).toContain(
      'working directory "/no/such/folder"',
    );
    await using malformed = bench({ ...stdio('echo'), args: ['a\0b'] } as never);
    expect(await rejection(malformed.upstream.connect())).toMatchObject({ code: 'UPSTREAM_UNREACHABLE' });
  });

  it('is started when it is first needed, and stopped when nobody uses it', async () => {
    await using server = bench(stdio('crash'), { idleStopMs: 150 });
    expect(server.upstream.status()).toMatchObject({ state: 'idle', pid: undefined });
    const { pid } = await result(await server.upstream.connect());
    await until(() => server.upstream.status().state === 'idle');
    await until(() => !isRunning(pid as number));
    expect(server.upstream.current()).toBeUndefined();
    expect(await result(await server.upstream.connect())).not.toEqual({ pid });
  });

  it('of its own goes to each owner when the configuration asks for it', async () => {
    await using server = bench(stdio('crash'), { isolation: 'session' });
    const key = (owner: string) => ({ owner, capabilities: {} });
    const [a, b] = await Promise.all(['a', 'b'].map((owner) => server.upstream.connect({ key: key(owner) })));
    if (a === undefined || b === undefined) throw new Error('no connection');
    const [first, second] = await Promise.all([result(a), result(b)]);
    expect(first).not.toEqual(second);
    expect(server.upstream.current(key('a'))).toBe(a);
    server.upstream.release('a');
    await until(() => !isRunning(first?.['pid'] as number));
    expect(server.upstream.current(key('a'))).toBeUndefined();
    expect(await result(b)).toEqual(second);
  });

  it('is shared by all owners otherwise', async () => {
    await using server = bench(stdio('crash'));
    const shared = await server.upstream.connect();
    const key = { owner: 'a', capabilities: {} };
    expect(await server.upstream.connect({ key })).toBe(shared);
    expect(server.upstream.current(key)).toBe(shared);
  });

  it('that is closed while it opens leaves nothing behind', async () => {
    const server = bench(stdio('silent'));
    const opening = rejection(server.upstream.connect());
    await until(() => server.upstream.status().state === 'connecting');
    await server.upstream.close();
    expect(await opening).toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(await rejection(server.upstream.connect())).toMatchObject({ code: 'UPSTREAM_CLOSED' });
  });
});
