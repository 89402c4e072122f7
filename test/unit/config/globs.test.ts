import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { compileGlobs } from '../../../src/config/index.ts';
import { verifies } from '../../requirements/config.ts';

describe('compileGlobs', () => {
  it(verifies('config:filters:deny-is-stronger'), () => {
    const passes = compileGlobs({ allow: ['read_*', 'list'], deny: ['read_secret', '*_all'] });
    expect(['read_file', 'list', 'read_'].every(passes)).toBe(true);
    expect(
      ['read_secret', 'read_all', 'write_file', 'list_x', 'xread_file', 'READ_FILE', ''].some(passes),
    ).toBe(false);
  });

  it('lets everything through without an allow list, and nothing with an empty one', () => {
    expect(compileGlobs({})('anything')).toBe(true);
    expect(compileGlobs({ allow: [] })('anything')).toBe(false);
    expect(compileGlobs({ deny: [] })('anything')).toBe(true);
    expect(compileGlobs({ deny: ['*'] })('anything')).toBe(false);
  });

  it.each([
    ['a?c', 'abc', true],
    ['a?c', 'a😀c', true],
    ['a?c', 'ac', false],
    ['*', '', true],
    ['*', '*', true],
    ['a*b*c', 'aXbXbYc', true],
    ['a*b*c', 'aXcXb', false],
    ['*a', 'aba', true],
    ['a*?', 'a', false],
    ['**', 'x\ny', true],
    ['a.c', 'abc', false],
    ['file:///*', 'file:///a/b', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['(a|b)+', '(a|b)+', true],
    ['{a,b}', 'a', false],
    ['!a', 'b', false],
    ['a\\*', 'a\\x', true],
    ['toString', 'toString', true],
    ['__proto__', '__proto__', true],
  ])('%j matching %j is %s', (glob, name, expected) => {
    expect(compileGlobs({ allow: [glob] })(name)).toBe(expected);
  });

  it('matches any text, literally, when it has no star and no question mark', () => {
    const literal = fc.string().filter((text) => !/[*?]/.test(text));
    fc.assert(
      fc.property(literal, literal, (glob, name) => {
        const passes = compileGlobs({ allow: [glob, `${glob}*!`] });
        expect(passes(glob)).toBe(true);
        expect(passes(`${glob}${name}!`)).toBe(true);
      }),
    );
  });

  it('does not lose time on many stars', () => {
    const passes = compileGlobs({ allow: [`${'*a'.repeat(30)}b`] });
    const startMs = performance.now();
    expect(passes('a'.repeat(5000))).toBe(false);
    expect(performance.now() - startMs).toBeLessThan(1000);
  });
});
