import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markUri, schemeOf, unmarkUri } from '../../../src/catalog/exposed-uri.ts';
import { nativeUri } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';

const label = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
const scheme = fc.stringMatching(/^[A-Za-z][A-Za-z0-9+.-]{0,10}$/);
/** Anything behind the scheme, with what gives a URI its structure more often than by chance. */
const rest = fc
  .array(
    fc.oneof(
      fc.constantFrom('/', '//', ':', '?', '#', '@', '.tollgate/', '%2F', '{id}', '{+path}', '..', '[::1]'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['file:///README.md', 'file://notes.tollgate//README.md'],
  ['file:///C:/a%20b', 'file://notes.tollgate//C:/a%20b'],
  ['ui://app/main.html?x=1#top', 'ui://notes.tollgate/app/main.html?x=1#top'],
  ['https://user:pass@host:8443/a?b#c', 'https://notes.tollgate/user:pass@host:8443/a?b#c'],
  ['FILE:///A', 'FILE://notes.tollgate//A'],
  ['urn:isbn:0451450523', 'urn://notes.tollgate/:isbn:0451450523'],
  ['mailto:', 'mailto://notes.tollgate/:'],
  ['test://', 'test://notes.tollgate/'],
  ['http://:80/', 'http://notes.tollgate/://:80/'],
  ['repo://{owner}/{name}{?ref}', 'repo://notes.tollgate/{owner}/{name}{?ref}'],
  ['note:{+path}', 'note://notes.tollgate/:{+path}'],
  ['file://notes.tollgate//a', 'file://notes.tollgate/notes.tollgate//a'],
];

describe('a marked URI', () => {
  it(verifies('catalog:uris:round-trip'), () => {
    fc.assert(
      fc.property(label, scheme, rest, (server, name, tail) => {
        const native = `${name}:${tail}`;
        const marked = markUri(server, nativeUri(native));
        expect(unmarkUri(marked)).toEqual({ label: server, native });
        expect(schemeOf(marked)).toBe(schemeOf(native));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each(EXAMPLES)('of %s is %s', (native, marked) => {
    expect(markUri('notes', nativeUri(native))).toBe(marked);
    expect(unmarkUri(marked)).toEqual({ label: 'notes', native });
  });

  it('is legal for readers that parse URIs, and survives them', () => {
    for (const native of ['file:///README.md', 'https://h:1/a?b#c', 'urn:a:b', 'ui://app/x']) {
      expect(unmarkUri(new URL(markUri('My_Notes', nativeUri(native))).href)?.native).toBe(native);
    }
  });

  it('of what has no scheme stays as it is, because it cannot be addressed', () => {
    for (const text of ['README.md', '/etc/passwd', '', '{+uri}', '1a:b', ':x']) {
      expect(markUri('notes', nativeUri(text))).toBe(text);
      expect(schemeOf(text)).toBeUndefined();
    }
  });

  it('is not seen in URIs that only look a little like it', () => {
    const others = [
      'file:///notes.tollgate/a',
      'file://notes.tollgate',
      'file:notes.tollgate/a',
      'file://.tollgate/a',
      'file://a.b.tollgate/c',
      'file://user@notes.tollgate/c',
      'file://notes.tollgate:80/c',
      'file://x?.tollgate/c',
      'file://notes.TOLLGATE/a',
    ];
    expect(others.flatMap((uri) => unmarkUri(uri) ?? [])).toEqual([]);
  });
});
