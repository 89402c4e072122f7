import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixOf, qualify } from '../../../src/catalog/qualify.ts';
import { nativeName } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';

const MAX = 48;
const name = (namespace: string, native: string, max = MAX): string | undefined =>
  qualify(namespace, nativeName(native), max);

/** Namespaces as the configuration accepts them. */
const namespace = fc
  .stringMatching(/^[A-Za-z0-9_-]{1,80}$/)
  .filter((text) => !text.includes('__') && !text.endsWith('_'));
const wellFormed = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 });
const maxLength = fc.integer({ min: 32, max: 128 });

/** 10,000 names of the kinds that were met: near-equal at every place where something is lost. */
function oddNames(): Set<string> {
  const names = new Set<string>();
  const long = 'list_all_the_pull_requests_of_a_repository_with_their_reviews_'.repeat(3);
  const letters = ['a', 'B', '-', '_', '.', '/', ' ', ':', 'é', 'ü', '名', '🙂', '\u0000', '\u2028', '__'];
  for (const first of letters) {
    for (const second of letters) {
      for (const third of letters) {
        names.add(`${first}${second}${third}`);
        names.add(`get${first}${second}${third}issue`);
        names.add(long.slice(0, 61) + first + second + third);
      }
    }
  }
  for (let index = 0; names.size < 10_000; index++) {
    names.add(`${long.slice(0, 60 + (index % 70))}${index.toString(36)}`);
  }
  return names;
}

describe('the exposed name of a tool or prompt', () => {
  it(verifies('catalog:names:one-for-one'), () => {
    const natives = oddNames();
    for (const space of ['', 'fs', 'n'.repeat(40)]) {
      const exposed = new Set([...natives].map((native) => name(space, native)));
      expect(exposed.size).toBe(natives.size);
    }
    fc.assert(
      fc.property(namespace, wellFormed, namespace, wellFormed, (one, nativeOne, two, nativeTwo) => {
        fc.pre(one !== two || nativeOne !== nativeTwo);
        expect(name(one, nativeOne)).not.toBe(name(two, nativeTwo));
      }),
    );
  });

  it('keeps names apart that differ only in what is cleaned, cut or folded', () => {
    const groups = [
      ['get-issue', 'get_issue', 'get.issue', 'get/issue', 'get issue', 'Get_issue', 'getissue'],
      [`${'x'.repeat(60)}a`, `${'x'.repeat(60)}b`, 'x'.repeat(60), 'x'.repeat(61)],
      ['naïve', 'nai\u0308ve', 'naive'],
    ];
    for (const group of groups) {
      expect(new Set(group.map((native) => name('s', native))).size).toBe(group.length);
    }
  });

  it(verifies('catalog:names:fit-every-host'), () => {
    fc.assert(
      fc.property(fc.option(namespace, { nil: '' }), wellFormed, maxLength, (space, native, max) => {
        const exposed = name(space, native, max) ?? '';
        expect(exposed).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(exposed.length).toBeLessThanOrEqual(max);
        expect(exposed.startsWith(prefixOf(space, max))).toBe(true);
      }),
    );
  });

  it('has no exposed form when the native one is empty', () => {
    expect(name('fs', '')).toBeUndefined();
  });

  it(verifies('catalog:names:pure'), () => {
    const literals: readonly (readonly [string, string, string])[] = [
      ['fs', 'read_file', 'fs__read_file'],
      ['', 'read_file', 'read_file'],
      ['fs', '__proto__', 'fs____proto__'],
      ['fs', 'read.file', 'fs__read_file_dd32cdf5'],
      ['fs', 'lies die Datei', 'fs__lies_die_Datei_228eaa02'],
      ['fs', '読む', 'fs_____818417a1'],
      ['fs', 'x'.repeat(44), `fs__${'x'.repeat(44)}`],
      ['fs', 'x'.repeat(45), `fs__${'x'.repeat(35)}_15b52637`],
      ['n'.repeat(40), 'read', `${'n'.repeat(21)}-527ccc3e__read`],
    ];
    for (const [space, native, exposed] of literals) expect(name(space, native)).toBe(exposed);
  });

  it('does not change when the same name is asked for again, in another order', () => {
    const natives = [...oddNames()].slice(0, 2_000);
    const first = natives.map((native) => name('fs', native));
    const second = natives.toReversed().map((native) => name('fs', native));
    expect(second.toReversed()).toEqual(first);
  });
});

describe('the prefix of a namespace', () => {
  it('ends in the one separator that it holds, cut or not, and leaves room for a name', () => {
    fc.assert(
      fc.property(namespace, maxLength, (space, max) => {
        const prefix = prefixOf(space, max);
        expect(prefix.indexOf('__')).toBe(prefix.length - 2);
        expect(prefix.at(-3)).not.toBe('_');
        expect(max - prefix.length).toBeGreaterThanOrEqual(16);
      }),
    );
  });

  it('differs for namespaces that differ only behind the cut, or only in case', () => {
    const long = 'n'.repeat(40);
    const prefixes = [`${long}a`, `${long}b`, long, long.toUpperCase()].map((space) => prefixOf(space, MAX));
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });
});
