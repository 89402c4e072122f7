import { afterEach, describe, expect, it } from 'vitest';
import { createThread, type Thread, type ThreadOptions } from '../../../src/state/index.ts';
import { verifies } from '../../requirements/state.ts';
import { manualClock } from '../upstream/manual-clock.ts';

const threads: Thread[] = [];
const clock = manualClock();

function thread(name: string, options: Partial<ThreadOptions> = {}): Thread {
  const module = new URL(`../../fixtures/threads/${name}.mjs`, import.meta.url);
  const made = createThread({ module, idleMs: 1_000, clock, ...options });
  threads.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((made) => made.stop()));
});

describe('a thread', () => {
  it('answers requests in their order, with the data it was started with', async () => {
    const echo = thread('echo', { data: { path: 'x' } });
    expect(await Promise.all(['a', 'data', { b: [1, null] }].map((body) => echo.request(body)))).toEqual([
      'a',
      { path: 'x' },
      { b: [1, null] },
    ]);
  });

  it('passes on what was thrown, with its code, and goes on', async () => {
    const echo = thread('echo');
    await expect(echo.request('fault')).rejects.toMatchObject({ message: 'that went wrong', code: 'FAULT' });
    expect(await echo.request('still here')).toBe('still here');
  });

  it(verifies('state:thread:isolated'), async () => {
    await expect(thread('broken').request('x')).rejects.toThrow('this thread never starts');
    await expect(thread('missing').request('x')).rejects.toThrow(/missing/);
    const hoarder = thread('echo', { heapMb: 16 });
    await expect(hoarder.request('hoard')).rejects.toThrow(/memory limit/);
    const leaver = thread('echo');
    await expect(leaver.request('exit')).rejects.toThrow('ended');
    expect(await leaver.request('again')).toBe('again');
  });

  it(verifies('state:thread:idle'), async () => {
    const before = await thread('echo').request('number');
    const echo = thread('echo');
    const first = await thread('echo').request('number');
    expect(first).toBe(Number(before) + 1);
    const second = await echo.request('number');
    expect(second).toBe(Number(first) + 1);
    clock.advance(999);
    expect(await echo.request('number')).toBe(second);
    clock.advance(999);
    expect(await echo.request('number')).toBe(second);
    clock.advance(1_000);
    expect(await echo.request('number')).toBe(Number(second) + 1);
  });

  it('rejects what is unanswered when it is stopped', async () => {
    const echo = thread('echo');
    const asked = echo.request('x').then(
      () => 'answered',
      (error: unknown) => (error as Error).message,
    );
    await echo.stop();
    expect(await asked).toBe('the thread ended');
  });

  it('refuses what cannot be sent, and forgets it', async () => {
    const echo = thread('echo');
    await expect(echo.request(() => 1)).rejects.toThrow(/could not be cloned/);
    expect(await echo.request('x')).toBe('x');
  });
});
