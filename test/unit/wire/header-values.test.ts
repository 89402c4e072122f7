import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeaderValue, encodeHeaderValue, isToken } from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';

describe('a mirrored value', () => {
  it(verifies('wire:headers:value-encoding'), () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = Buffer.from(text).toString();
        const encoded = encodeHeaderValue(value);
        expect(encoded).toMatch(/^[\t\x20-\x7e]*$/);
        expect(encoded.trim()).toBe(encoded);
        expect(decodeHeaderValue(encoded)).toBe(value);
      }),
    );
  });

  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['=?base64?open', '=?base64?open'],
    ['', ''],
  ])('%j is written %j', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it.each([
    ['characters outside the alphabet', '=?base64?SGVs_G8=?='],
    ['white space', '=?base64?SGVs bG8=?='],
    ['missing padding', '=?base64?SGVsbG8?='],
    ['padding in the middle', '=?base64?SG=sbG8=?='],
    ['invalid UTF-8', '=?base64?gICA?='],
  ])('is malformed with %s', (_what, header) => {
    expect(decodeHeaderValue(header)).toBeUndefined();
  });

  it('with one marker alone is literal, and white space around it is not part of it', () => {
    expect(decodeHeaderValue(' =?base64?abc ')).toBe('=?base64?abc');
    expect(decodeHeaderValue('abc?=')).toBe('abc?=');
    expect(decodeHeaderValue('=?base64?=')).toBe('=?base64?=');
  });
});

describe('a header name', () => {
  it.each(['Region', 'x-1', "!#$%&'*+-.^_`|~"])('may be %s', (name) => expect(isToken(name)).toBe(true));
  it.each(['', 'a b', 'a:b', 'ü', 'a\tb', 'a\r\nb', '(x)'])('may not be %j', (name) =>
    expect(isToken(name)).toBe(false),
  );
});
