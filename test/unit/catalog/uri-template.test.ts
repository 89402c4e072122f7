import { UriTemplate } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileUriTemplate, templateFault } from '../../../src/catalog/uri-template.ts';
import { verifies } from '../../requirements/catalog.ts';

const matches = (template: string, uri: string): boolean => compileUriTemplate(template).matches(uri);

/** Expansions of https://www.rfc-editor.org/rfc/rfc6570#section-3.2, behind a scheme. */
const EXPANSIONS: readonly (readonly [string, readonly string[]])[] = [
  ['{var}', ['value']],
  ['{hello}', ['Hello%20World%21']],
  ['{half}', ['50%25']],
  ['O{empty}X', ['OX']],
  ['O{undef}X', ['OX']],
  ['{x,y}', ['1024,768']],
  ['{x,hello,y}', ['1024,Hello%20World%21,768']],
  ['?{x,empty}', ['?1024,']],
  ['{var:3}', ['val']],
  ['{list}', ['red,green,blue']],
  ['{keys*}', ['semi=%3B,dot=.,comma=%2C']],
  ['{+var}', ['value']],
  ['{+hello}', ['Hello%20World!']],
  ['{base}index', ['http%3A%2F%2Fexample.com%2Fhome%2Findex']],
  ['{+base}index', ['http://example.com/home/index']],
  ['O{+empty}X', ['OX']],
  ['{+path}/here', ['/foo/bar/here']],
  ['here?ref={+path}', ['here?ref=/foo/bar']],
  ['up{+path}{var}/here', ['up/foo/barvalue/here']],
  ['{+path:6}/here', ['/foo/b/here']],
  ['{#hello}', ['#Hello%20World!']],
  ['foo{#empty}', ['foo#']],
  ['foo{#undef}', ['foo']],
  ['{#x,hello,y}', ['#1024,Hello%20World!,768']],
  ['{#path,x}/here', ['#/foo/bar,1024/here']],
  ['www{.dom*}', ['www.example.com']],
  ['X{.var}', ['X.value']],
  ['X{.empty}', ['X.']],
  ['X{.undef}', ['X']],
  ['{/who,who}', ['/fred/fred']],
  ['{/var,empty}', ['/value/']],
  ['{/var,x}/here', ['/value/1024/here']],
  ['{/list*,path:4}', ['/red/green/blue/%2Ffoo']],
  ['{;x,y}', [';x=1024;y=768']],
  ['{;x,y,empty}', [';x=1024;y=768;empty']],
  ['{;keys*}', [';semi=%3B;dot=.;comma=%2C']],
  ['{?x,y}', ['?x=1024&y=768']],
  ['{?x,y,undef}', ['?x=1024&y=768']],
  ['{?undef}', ['']],
  ['?fixed=yes{&x}', ['?fixed=yes&x=1024', '?fixed=yes']],
  ['{&x,y,empty}', ['&x=1024&y=768&empty=']],
];

const literal = fc.stringMatching(/^[A-Za-z0-9._~/=-]{1,6}$/);
const operator = fc.constantFrom('', '+', '#', '.', '/', '?', '&');
const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });

describe('a URI template', () => {
  it(verifies('catalog:templates:shape'), () => {
    for (const [template, expansions] of EXPANSIONS) {
      for (const expansion of expansions) {
        expect([template, matches(`test:${template}`, `test:${expansion}`)]).toEqual([template, true]);
      }
    }
  });

  it('matches whatever another expander makes of it', () => {
    const part = fc.oneof(
      literal.map((text) => ({ text, values: {} })),
      fc
        .tuple(operator, fc.array(fc.stringMatching(/^[a-z]{4}$/), { minLength: 1, maxLength: 2 }), value)
        // Of several variables this expander makes what the standard says for queries alone.
        .map(
          ([sign, names, text]) =>
            [sign, '?&'.includes(sign) && sign !== '' ? names : names.slice(0, 1), text] as const,
        )
        .map(([sign, names, text]) => ({
          text: `{${sign}${names.join(',')}}`,
          values: Object.fromEntries(names.map((name) => [name, text])),
        })),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        // This expander also makes one query of two.
        fc.pre(parts.filter(({ text }) => /^\{[?&]/.test(text)).length < 2);
        const template = `test://${parts.map(({ text }) => text).join('')}`;
        const values = Object.assign({}, ...parts.map((item) => item.values)) as Record<string, string>;
        expect(matches(template, new UriTemplate(template).expand(values))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not match what no expansion of it can be', () => {
    const others: readonly (readonly [string, string])[] = [
      ['repo://{owner}/{name}', 'repo://a/b/c'],
      ['repo://{owner}/{name}', 'repo://a'],
      ['repo://{owner}/{name}', 'repos://a/b'],
      ['repo://{owner}/{name}', 'repo://a/b?ref=main'],
      ['repo://{owner}/{name}{?ref}', 'repo://a/b#x'],
      ['chapter://{track}/{id}/text', 'chapter://a/b/texts'],
      ['test://static', 'test://static/'],
      ['test://a{x}a', 'test://a'],
      ['X:{.var}', 'X:value'],
      ['file:///{path}', 'file:///a/b'],
    ];
    for (const [template, uri] of others) expect([uri, matches(template, uri)]).toEqual([uri, false]);
  });

  it('leaves percent-encoding as it stands', () => {
    expect(matches('file:///{path}', 'file:///a%2Fb%20c')).toBe(true);
    expect(matches('file:///a%2Fb/{x}', 'file:///a/b/c')).toBe(false);
    expect(matches('file:///a%2fb', 'file:///a%2Fb')).toBe(false);
  });

  it('counts its literal characters, by which overlapping templates are ranked', () => {
    expect(compileUriTemplate('repo://{owner}/{name}{?ref}').literalChars).toBe('repo:///'.length);
    expect(compileUriTemplate('a:b').literalChars).toBe(3);
  });

  it('treats braces that are no expression as what they are', () => {
    expect(matches('test://{open', 'test://{open')).toBe(true);
    expect(matches('test://{a{b}', 'test://{ax')).toBe(true);
    expect(matches('test://{}', 'test://x')).toBe(true);
  });

  it(verifies('catalog:templates:bounded'), () => {
    const run = 'a'.repeat(8_000);
    // Every way to divide the run among the expressions leads on, and none to the end.
    const hostile = [
      `x:${'{+a}'.repeat(31)}c{+a}!`,
      `x:${'{a}{+b}'.repeat(15)}c{+a}!`,
      `x:${'{+a}a'.repeat(31)}c{+a}!`,
      `x:{+a}${'a'.repeat(2_000)}{+b}${'a'.repeat(2_000)}c{+a}!`,
      `x:${'{+a}b'.repeat(31)}{+a}!`,
    ];
    for (const template of hostile) {
      expect(templateFault(template)).toBeUndefined();
      const matcher = compileUriTemplate(template);
      const startedAt = performance.now();
      expect(matcher.matches(`x:${run}!`)).toBe(false);
      expect(matcher.matches(`x:${'a'.repeat(4_000_000)}c!`)).toBe(false);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
    expect(templateFault(`x:${'{a}'.repeat(33)}`)).toContain('32 expressions');
    expect(templateFault(`x:${'a'.repeat(5_000)}`)).toContain('4096 characters');
  });
});
