import { describe, expect, it } from 'vitest';

import { didYouMean, nearName } from '../../../src/config/near-name.ts';

const KNOWN = ['command', 'args', 'env', 'url', 'timeouts', 'maxConcurrency', 'allow', 'deny', 'listen'];

describe('nearName', () => {
  it.each([
    ['comand', 'command'],
    ['commnad', 'command'],
    ['Command', 'command'],
    ['arg', 'args'],
    ['time-outs', 'timeouts'],
    ['timeout', 'timeouts'],
    ['max_concurrency', 'maxConcurrency'],
    ['alow', 'allow'],
    ['lisen', 'listen'],
  ])('takes %s for %s', (typed, meant) => {
    expect(nearName(typed, KNOWN)).toBe(meant);
  });

  it.each(['wibble', 'x', '', '___', 'c'.repeat(1000)])('makes no guess at %j', (typed) => {
    expect(nearName(typed, KNOWN)).toBeUndefined();
  });

  it('asks in words', () => {
    expect(didYouMean('comand', KNOWN)).toBe('did you mean "command"?');
    expect(didYouMean('wibble', KNOWN)).toBeUndefined();
  });
});
