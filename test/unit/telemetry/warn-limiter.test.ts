import { describe, expect, it } from 'vitest';

import { createWarnLimiter } from '../../../src/telemetry/warn-limiter.ts';

describe('createWarnLimiter', () => {
  it('remembers a bounded number of keys', () => {
    const limiter = createWarnLimiter({ now: () => 0 });
    for (let index = 0; index < 5000; index++) limiter.admit(`key ${index}`);
    limiter.admit('key 4999');
    limiter.admit('key 4000');
    expect(limiter.leftovers()).toEqual([
      { key: 'key 4000', suppressed: 1 },
      { key: 'key 4999', suppressed: 1 },
    ]);
    expect(limiter.admit('key 0')).toBe(0);
  });
});
