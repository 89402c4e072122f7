import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../../src/upstream/limiter.ts';
import { verifies } from '../../requirements/upstream.ts';
import { bench, failure, place, stdio } from './harness.ts';

describe('the limit of a server', () => {
  it(verifies('upstream:calls:bounded'), async () => {
    await using server = bench(stdio('echo'), { maxConcurrency: 2 });
    const connection = await server.upstream.connect();
    const done: number[] = [];
    const params = (delayMs: number): string => JSON.stringify({ name: 't', arguments: { delayMs } });
    const calls = Array.from({ length: 2 + 2 * 16 }, (_, index) =>
      place(connection, { params: params(index < 2 ? 60 : 0) }),
    );
    for (const [index, call] of calls.entries()) void call.done.then(() => done.push(index));
    const refused = place(connection, {});
    expect(await failure(refused)).toMatchObject({ code: 'UPSTREAM_OVERLOADED' });
    expect(done).toEqual([]);
    calls[5]?.handle.cancel('gave up waiting');
    await Promise.all(calls.filter((_, index) => index !== 5).map((call) => call.done));
    expect(done).toHaveLength(calls.length - 1);
    expect(done.filter((index) => index > 1)).toEqual(
      done.filter((index) => index > 1).toSorted((a, b) => a - b),
    );
  });

  it('passes a place on to the one that waited longest', () => {
    const limiter = createLimiter(1, 2);
    const admitted: string[] = [];
    const waiter = (name: string) => ({ admit: () => admitted.push(name) });
    expect(limiter.tryEnter()).toBe(true);
    expect(limiter.tryEnter()).toBe(false);
    const [a, b, c] = [waiter('a'), waiter('b'), waiter('c')] as const;
    expect([limiter.wait(a), limiter.wait(b), limiter.wait(c)]).toEqual([true, true, false]);
    limiter.forget(a);
    limiter.leave();
    expect(admitted).toEqual(['b']);
    expect(limiter.active).toBe(1);
    limiter.leave();
    expect(limiter.active).toBe(0);
    expect(limiter.entered).toBe(2);
  });
});
