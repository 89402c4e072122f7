import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBackoff } from '../../../src/upstream/backoff.ts';
import { servePeer } from '../../fixtures/faults/http-peer.mjs';
import { verifies } from '../../requirements/upstream.ts';
import { bench, failure, http, place, rejection, stdio } from './harness.ts';

describe('the wait before another attempt', () => {
  it('doubles to its ceiling, with jitter below the full length', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (random) => {
        const backoff = createBackoff({ initialDelayMs: 500, maxDelayMs: 60_000 }, () => random);
        for (const fullMs of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
          const waitMs = backoff.next();
          expect(waitMs).toBeGreaterThanOrEqual(fullMs / 2);
          expect(waitMs).toBeLessThanOrEqual(fullMs);
        }
        backoff.reset();
        expect(backoff.next()).toBeLessThanOrEqual(500);
      }),
    );
  });

  it('stays at its ceiling after any number of failures', () => {
    const backoff = createBackoff({ initialDelayMs: 1, maxDelayMs: 1_000 }, () => 1);
    for (let at = 0; at < 5_000; at++) backoff.next();
    expect(backoff.next()).toBe(1_000);
  });
});

describe('a server that cannot be opened', () => {
  it(verifies('upstream:restart:backoff'), async () => {
    await using server = bench(stdio('echo', 'x'), {
      restart: { initialDelayMs: 60_000, maxDelayMs: 600_000 },
    });
    await using broken = bench(http('http://127.0.0.1:9/mcp'), {
      restart: { initialDelayMs: 60_000, maxDelayMs: 600_000 },
    });
    const first = await rejection(broken.upstream.connect());
    expect(first).toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      message: 'server "faulty" cannot be reached (ECONNREFUSED)',
    });
    const status = broken.upstream.status();
    expect(status).toMatchObject({ state: 'backoff', lastError: first.message });
    expect(status.retryInMs).toBeGreaterThan(25_000);
    // While it rests, whoever does not insist hears the same error at once; a caller's request makes an attempt.
    expect(await rejection(broken.upstream.connect())).toBe(first);
    expect(await rejection(broken.upstream.list())).toBe(first);
    expect(await rejection(broken.upstream.connect({ isDemanded: true }))).not.toBe(first);
    expect(broken.upstream.status().retryInMs).toBeGreaterThan(55_000);
    expect(await server.upstream.connect()).toMatchObject({ era: 'legacy' });
  });

  it('starts over at the first wait after a stable run', async () => {
    const first = await servePeer();
    await first.close();
    const restart = { initialDelayMs: 5_000, maxDelayMs: 60_000, stableMs: 30 };
    await using server = bench(http(first.url), { restart }, { random: () => 1 });
    await rejection(server.upstream.connect());
    await rejection(server.upstream.connect({ isDemanded: true }));
    expect(server.upstream.status().retryInMs).toBeGreaterThan(9_000);
    const peer = await servePeer({ port: first.port });
    const connection = await server.upstream.connect({ isDemanded: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await peer.close();
    await failure(place(connection));
    expect(server.upstream.status().retryInMs).toBeLessThanOrEqual(5_000);
  });

  it('is tried again by itself, and is connected when it comes up', async () => {
    const first = await servePeer();
    await first.close();
    await using server = bench(http(first.url));
    await rejection(server.upstream.connect());
    await server.next('disconnected', 1);
    await using peer = await servePeer({ port: first.port });
    await server.next('connected');
    expect(server.upstream.status()).toMatchObject({ state: 'ready', lastError: undefined });
    expect(peer.requests).not.toEqual([]);
  });
});
