import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Edit,
  insertMember,
  memberSpans,
  reshapeObject,
  rootSpan,
  splice,
} from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';
import { objectText } from './arbitrary-json.ts';

describe('a splice', () => {
  it(verifies('wire:splice:nothing-else-changes'), () => {
    fc.assert(
      fc.property(objectText, fc.jsonValue(), fc.nat(), (text, value, pick) => {
        const bytes = Buffer.from(text);
        const members = [...memberSpans(bytes, rootSpan(bytes))];
        fc.pre(members.length > 0);
        const [key, span] = members[pick % members.length] as (typeof members)[number];
        const edited = splice(bytes, [{ start: span.start, end: span.end, text: JSON.stringify(value) }]);
        const expected = { ...(JSON.parse(text) as Record<string, unknown>) };
        Object.defineProperty(expected, key, { value, enumerable: true, configurable: true, writable: true });
        expect(JSON.parse(edited.toString())).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(edited.subarray(0, span.start)).toEqual(bytes.subarray(0, span.start));
        expect(edited.subarray(edited.length - (bytes.length - span.end))).toEqual(bytes.subarray(span.end));
      }),
    );
  });

  it('takes edits in any order', () => {
    const edits: Edit[] = [
      { start: 4, end: 5, text: 'Y' },
      { start: 0, end: 1, text: 'äöü' },
      { start: 2, end: 2, text: '+' },
    ];
    expect(splice(Buffer.from('abcdef'), edits).toString()).toBe('äöüb+cdYf');
  });

  it('refuses edits that overlap', () => {
    const edits = [
      { start: 0, end: 3, text: '' },
      { start: 2, end: 4, text: '' },
    ];
    expect(() => splice(Buffer.from('abcdef'), edits)).toThrow(RangeError);
  });

  it('without edits returns the same bytes', () => {
    const bytes = Buffer.from('{}');
    expect(splice(bytes, [])).toBe(bytes);
  });
});

describe('a member inserted in front', () => {
  it.each([
    ['{}', true, '{"a":1}'],
    ['{ }', true, '{"a":1 }'],
    ['{"b":2}', false, '{"a":1,"b":2}'],
  ])('of %s makes %s', (text, isEmpty, expected) => {
    const bytes = Buffer.from(text);
    expect(splice(bytes, [insertMember(rootSpan(bytes), isEmpty, 'a', '1')]).toString()).toBe(expected);
  });
});

describe('a reshaped object', () => {
  it('equals the object with the same members removed and inserted, for any object and choice', () => {
    fc.assert(
      fc.property(objectText, fc.nat(63), fc.boolean(), (text, mask, doesInsert) => {
        const bytes = Buffer.from(text);
        const root = rootSpan(bytes);
        const members = memberSpans(bytes, root);
        const removed = new Set([...members.keys()].filter((_key, index) => (mask >> index) & 1));
        const inserted = new Map(doesInsert ? [['new member', '[1,{"x":2}]']] : []);
        fc.pre(!members.has('new member'));
        const edited = splice(
          bytes,
          reshapeObject(root, members, (key) => removed.has(key), inserted),
        );
        const cut = memberSpans(edited, rootSpan(edited));
        const kept = [...members.keys()].filter((key) => !removed.has(key));
        expect([...cut.keys()]).toEqual([...inserted.keys(), ...kept]);
        for (const key of kept) {
          const [before, after] = [members.get(key), cut.get(key)];
          expect(edited.subarray(after?.start, after?.end)).toEqual(
            bytes.subarray(before?.start, before?.end),
          );
        }
        expect(() => JSON.parse(edited.toString()) as unknown).not.toThrow();
      }),
    );
  });
});
