import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/domain/index.ts';

describe('the clock of the system', () => {
  it('never goes back', () => {
    const times = Array.from({ length: 1_000 }, () => systemClock.now());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('calls once after the delay, and not at all when that was taken back', async () => {
    let calls = 0;
    const cancel = systemClock.after(1, () => (calls += 100));
    cancel();
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(5, () => {
        calls++;
        resolve();
      });
      // The clock's own timers hold nothing open, this one waits for them.
      setTimeout(() => undefined, 1_000).unref();
    });
    expect(calls).toBe(1);
  });

  it('keeps no process alive', () => {
    const clock = fileURLToPath(new URL('../../../src/domain/clock.ts', import.meta.url));
    const script = `import { systemClock } from ${JSON.stringify(clock)}; systemClock.after(60_000, () => undefined);`;
    const ended = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect(ended).toBe('');
  });
});
