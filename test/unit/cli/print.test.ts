import { describe, expect, it } from 'vitest';
import { table } from '../../../src/cli/print.ts';

describe('a table', () => {
  it('stands in columns as wide as their widest cell, the last as long as it likes', () => {
    const rows = [
      ['name', 'what it does'],
      ['a__tool', 'short'],
      ['b', 'a much longer text than any other'],
    ];
    expect(table(rows)).toBe(
      ['name     what it does', 'a__tool  short', 'b        a much longer text than any other'].join('\n'),
    );
  });

  it('has no white space at the ends of its lines', () => {
    expect(
      table([
        ['a', ''],
        ['bbb', 'c'],
      ]),
    ).toBe('a\nbbb  c');
  });

  it('may be empty, and its rows of different lengths', () => {
    expect(table([])).toBe('');
    expect(table([['a', 'b', 'c'], ['dd']])).toBe('a   b  c\ndd');
  });
});
