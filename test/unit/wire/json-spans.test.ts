import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  elementSpans,
  JsonScanError,
  memberSpans,
  rootSpan,
  stringAt,
  textAt,
} from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';
import { jsonText, objectText } from './arbitrary-json.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text, 'utf8');

describe('the spans of a value', () => {
  it(verifies('wire:spans:agree-with-json'), () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const bytes = bytesOf(text);
        expect(JSON.parse(textAt(bytes, rootSpan(bytes)))).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(objectText, (text) => {
        const bytes = bytesOf(text);
        const expected = JSON.parse(text) as Record<string, unknown>;
        const members = memberSpans(bytes, rootSpan(bytes));
        expect([...members.keys()].toSorted()).toEqual(Object.keys(expected).toSorted());
        for (const [key, span] of members) {
          expect(JSON.parse(textAt(bytes, span))).toEqual(
            Object.getOwnPropertyDescriptor(expected, key)?.value,
          );
          expect(JSON.parse(`{${textAt(bytes, { start: span.keyStart, end: span.end })}}`)).toHaveProperty([
            key,
          ]);
        }
      }),
    );
    fc.assert(
      fc.property(fc.array(jsonText), (texts) => {
        const bytes = bytesOf(`[${texts.join(',')}]`);
        const cut = elementSpans(bytes, rootSpan(bytes)).map(
          (span) => JSON.parse(textAt(bytes, span)) as unknown,
        );
        expect(cut).toEqual(texts.map((text) => JSON.parse(text) as unknown));
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['white space alone', ' \n'],
    ['an unterminated object', '{"a":{}'],
    ['an unterminated string', '{"a":"b'],
    ['a string that ends in an escaped quote', '"a\\"'],
    ['a second value', '{} {}'],
    ['a stray comma', '{},'],
    ['a stray bracket', '[1]]'],
  ])('are not read from %s', (_what, text) => {
    expect(() => rootSpan(bytesOf(text))).toThrow(JsonScanError);
  });

  it.each([
    ['no colon', '{"a" 1}'],
    ['no value', '{"a":}'],
    ['no comma', '{"a":1 "b":2}'],
    ['a trailing comma', '{"a":1,}'],
    ['a key without quotes', '{a:1}'],
    ['a bad escape in a key', '{"\\x":1}'],
  ])('are not read from members with %s', (_what, text) => {
    const bytes = bytesOf(text);
    expect(() => memberSpans(bytes, { start: 0, end: bytes.length })).toThrow(JsonScanError);
  });

  it('count backslashes, so that an escaped backslash does not escape the quote', () => {
    const bytes = bytesOf('{"a":"x\\\\","b":"y\\\\\\"z"}');
    const members = memberSpans(bytes, rootSpan(bytes));
    expect(stringAt(bytes, members.get('a'))).toBe('x\\');
    expect(stringAt(bytes, members.get('b'))).toBe('y\\"z');
  });

  it('end strings where they end, at any length and with any run of backslashes', () => {
    const parts = fc.array(fc.constantFrom('\\\\', '\\"', 'a', 'bc', '\\n', '\\u0041', ']', 'é'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.nat(80), parts, parts, (padding, value, next) => {
        const text = `{"k":"${'x'.repeat(padding)}${value.join('')}","n":["${next.join('')}",1]}`;
        const bytes = bytesOf(text);
        const members = memberSpans(bytes, rootSpan(bytes));
        const expected = JSON.parse(text) as { k: string; n: unknown[] };
        expect(stringAt(bytes, members.get('k'))).toBe(expected.k);
        expect(JSON.parse(textAt(bytes, members.get('n') ?? { start: 0, end: 0 }))).toEqual(expected.n);
      }),
      { numRuns: 500 },
    );
  });

  it('take brackets and braces inside strings for text', () => {
    const bytes = bytesOf('{"a":{"b":"}]{["},"c":1}');
    expect([...memberSpans(bytes, rootSpan(bytes)).keys()]).toEqual(['a', 'c']);
  });

  it('reach any depth', () => {
    const depth = 200_000;
    const bytes = bytesOf('['.repeat(depth) + ']'.repeat(depth));
    expect(rootSpan(bytes)).toEqual({ start: 0, end: 2 * depth });
  });
});

describe('the members of an object', () => {
  it(verifies('wire:spans:duplicate-keys'), () => {
    for (const text of ['{"id":1,"id":2}', '{"id":1,"\\u0069d":2}']) {
      const bytes = bytesOf(text);
      expect(() => memberSpans(bytes, rootSpan(bytes))).toThrow('the member "id" stands twice');
    }
  });

  it('may be called like properties of every object', () => {
    const bytes = bytesOf('{"__proto__":1,"constructor":2,"toString":3}');
    expect([...memberSpans(bytes, rootSpan(bytes)).keys()]).toEqual(['__proto__', 'constructor', 'toString']);
  });
});

describe('the text of a string', () => {
  it('is absent for what is no string', () => {
    const bytes = bytesOf('[1]');
    expect(stringAt(bytes, { start: 1, end: 2 })).toBeUndefined();
    expect(stringAt(bytes, undefined)).toBeUndefined();
  });

  it('is refused when an escape or a raw control character makes it no JSON', () => {
    for (const text of ['"\\q"', '"a\nb"']) {
      const bytes = bytesOf(text);
      expect(() => stringAt(bytes, { start: 0, end: bytes.length })).toThrow(JsonScanError);
    }
  });
});
