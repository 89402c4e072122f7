import { describe, expect, it } from 'vitest';

import { blankJsonComments } from '../../../src/config/json-comments.ts';

describe('blankJsonComments', () => {
  it('replaces comments and nothing else, so that places stay', () => {
    const text = '{ // one\n  "a": "https://x", /* two\n  lines */ "b": "\\"//" }\n//end';
    const blank = blankJsonComments(text);
    expect(blank).toHaveLength(text.length);
    expect(blank.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length));
    expect(JSON.parse(blank)).toEqual({ a: 'https://x', b: '"//' });
  });

  it('leaves an unclosed comment for the parser to complain about', () => {
    expect(blankJsonComments('{} /* x')).toBe('{} /* x');
  });
});
