import { describe, expect, it } from 'vitest';
import { verifies } from '../../requirements/upstream.ts';
import { answer, bench, rejection, result, stdio } from './harness.ts';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.concurrent('the era of a process', () => {
  it(verifies('upstream:era:probe'), async () => {
    await using older = bench(stdio('silent'), {}, { probeMs: 300 });
    await using legacy = bench(stdio('echo'));
    await using modern = bench(stdio('slow-start', '0', 'modern'));
    const [silent, old, today] = await Promise.all(
      [older, legacy, modern].map(({ upstream }) => upstream.connect()),
    );
    expect(silent).toMatchObject({ era: 'legacy', protocolVersion: '2024-11-05' });
    expect(old).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' });
    expect(today).toMatchObject({
      era: 'modern',
      protocolVersion: '2026-07-28',
      serverInfo: { name: 'slow-start', version: '1' },
      capabilities: { tools: {} },
    });
    const params = JSON.stringify({
      name: 't',
      arguments: {},
      _meta: { ...ENVELOPE, progressToken: 'mine' },
    });
    if (today === undefined) throw new Error('no connection');
    const text = await answer(today, { id: '"x"', params });
    expect(JSON.parse(text)).toMatchObject({ id: 'x', result: { echoed: { _meta: ENVELOPE } } });
  });

  it(verifies('upstream:era:process-ends-on-probe'), async () => {
    await using server = bench(stdio('early-exit'));
    const connection = await server.upstream.connect();
    expect(connection).toMatchObject({ era: 'legacy', protocolVersion: '2025-06-18' });
    expect(await result(connection)).toEqual({ ok: true });
    expect(server.heard.map(({ what }) => what)).toEqual(['connected']);
    // The same when it starts so slowly that both questions wait for it.
    await using slow = bench(stdio('early-exit', '600'), {}, { probeMs: 200 });
    expect(await slow.upstream.connect()).toMatchObject({ era: 'legacy' });
  });

  it(verifies('upstream:era:slow-start'), async () => {
    const eras = ['modern', 'both'].map(async (era) => {
      await using server = bench(stdio('slow-start', '600', era), {}, { probeMs: 200 });
      return (await server.upstream.connect()).era;
    });
    expect(await Promise.all(eras)).toEqual(['modern', 'modern']);
  });

  it('is remembered, so that a restart does not probe again', async () => {
    await using server = bench(stdio('early-exit'), { idleStopMs: 50 });
    await server.upstream.connect();
    while (server.upstream.status().state !== 'idle') await new Promise((resolve) => setTimeout(resolve, 10));
    const startedMs = Date.now();
    await server.upstream.connect();
    expect(server.logs.filter((line) => line.includes('server wrote'))).toEqual([]);
    expect(Date.now() - startedMs).toBeLessThan(2_000);
  });

  it('may be fixed by the configuration, and is then not looked for', async () => {
    await using server = bench(stdio('slow-start', '0', 'both'), { era: 'legacy' });
    expect(await server.upstream.connect()).toMatchObject({ era: 'legacy' });
    await using pinned = bench(stdio('echo'), { era: 'modern' });
    expect(await rejection(pinned.upstream.connect())).toMatchObject({ code: 'UPSTREAM_UNSUPPORTED' });
  });

  it(verifies('upstream:era:handshake-nulls'), async () => {
    await using server = bench(stdio('lists', 'nulls'));
    const connection = await server.upstream.connect();
    expect(connection).toMatchObject({ era: 'legacy', instructions: undefined });
    expect(connection.capabilities).toEqual({ tools: {}, prompts: {} });
    expect(connection.serverInfo).toEqual({ name: 'n', version: '' });
  });

  it('is not guessed when nothing answers: the attempt ends at its deadline', async () => {
    await using server = bench(stdio('slow-start', '60000', 'modern'), { timeouts: { connectMs: 300 } });
    expect(await rejection(server.upstream.connect())).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      message: 'server "faulty" did not open within 300 ms',
    });
  });
});
