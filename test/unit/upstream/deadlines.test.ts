import { describe, expect, it } from 'vitest';
import { createDeadlines } from '../../../src/upstream/deadlines.ts';
import { manualClock } from './manual-clock.ts';

describe('the shared timer', () => {
  it('ends what is due, in its time, and nothing else', () => {
    const clock = manualClock();
    const deadlines = createDeadlines(clock, 100);
    const ended: string[] = [];
    const item = (name: string, dueMs: number) => {
      const timed = {
        dueMs,
        dueAtMs: () => timed.dueMs,
        expire: () => {
          ended.push(`${name} at ${clock.now()}`);
          deadlines.leave(seat);
        },
      };
      const seat = deadlines.add(timed);
      return { timed, seat };
    };
    item('a', 150);
    const moved = item('b', 150);
    deadlines.leave(item('c', 150).seat);
    clock.advance(100);
    moved.timed.dueMs = 1_000;
    clock.advance(300);
    expect(ended).toEqual(['a at 200']);
    clock.advance(2_000);
    expect(ended).toEqual(['a at 200', 'b at 1000']);
    clock.advance(5_000);
    item('d', 7_500);
    clock.advance(1_000);
    expect(ended.at(-1)).toBe('d at 7500');
  });
});
