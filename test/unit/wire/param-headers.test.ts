import { describe, expect, it } from 'vitest';
import {
  checkParamHeaders,
  type ParamHeader,
  planParamHeaders,
  renderParamHeaders,
} from '../../../src/wire/index.ts';
import { verifies } from '../../requirements/wire.ts';

const mirrored = (name: unknown, type: unknown = 'string'): Record<string, unknown> => ({
  type,
  'x-mcp-header': name,
});
const properties = (members: Record<string, unknown>): Record<string, unknown> => ({
  type: 'object',
  properties: members,
});

/** Schemas whose annotation makes the tool invalid. */
const INVALID: [what: string, schema: Record<string, unknown>][] = [
  ['an empty name', properties({ a: mirrored('') })],
  ['a name that is no string', properties({ a: mirrored(7) })],
  ['a name with a space', properties({ a: mirrored('my header') })],
  ['a name with a colon', properties({ a: mirrored('my:header') })],
  ['a name with other than ASCII', properties({ a: mirrored('größe') })],
  ['a name with a tab', properties({ a: mirrored('a\tb') })],
  ['a name with a line end', properties({ a: mirrored('a\r\nb') })],
  ['an object', properties({ a: { ...mirrored('A', 'object'), properties: {} } })],
  ['an array', properties({ a: mirrored('A', 'array') })],
  ['a null', properties({ a: mirrored('A', 'null') })],
  ['a number', properties({ a: mirrored('A', 'number') })],
  ['several types', properties({ a: mirrored('A', ['string', 'null']) })],
  ['no type', properties({ a: { 'x-mcp-header': 'A' } })],
  ['the same name twice', properties({ a: mirrored('Region'), b: mirrored('Region') })],
  ['the same name in another case', properties({ a: mirrored('Region'), b: mirrored('REGION') })],
  ['the same name further down', properties({ a: mirrored('A'), b: properties({ c: mirrored('a') }) })],
  ['items', properties({ a: { type: 'array', items: mirrored('A') } })],
  ['prefixItems', properties({ a: { type: 'array', prefixItems: [mirrored('A')] } })],
  ['anyOf', properties({ a: { anyOf: [mirrored('A')] } })],
  ['properties below oneOf', { type: 'object', oneOf: [properties({ a: mirrored('A') })] }],
  ['allOf', { type: 'object', allOf: [properties({ a: mirrored('A') })] }],
  ['not', { type: 'object', not: properties({ a: mirrored('A') }) }],
  ['if', { type: 'object', if: properties({ a: mirrored('A') }) }],
  ['then', { type: 'object', then: properties({ a: mirrored('A') }) }],
  ['additionalProperties', { type: 'object', additionalProperties: mirrored('A') }],
  ['patternProperties', { type: 'object', patternProperties: { '^a': mirrored('A') } }],
  ['$defs', { ...properties({ a: { $ref: '#/$defs/a' } }), $defs: { a: mirrored('A') } }],
  ['the root', { type: 'object', 'x-mcp-header': 'A' }],
];

function planned(schema: unknown): readonly ParamHeader[] {
  const plan = planParamHeaders(schema);
  if (!plan.ok) throw new Error(plan.reason);
  return plan.params;
}

describe('the annotations of a schema', () => {
  it(verifies('wire:headers:param-annotations'), () => {
    const accepted = INVALID.filter(([, schema]) => planParamHeaders(schema).ok);
    expect(accepted.map(([what]) => what)).toEqual([]);
    const reasons = INVALID.map(([, schema]) => planParamHeaders(schema)).map((plan) =>
      plan.ok ? '' : plan.reason,
    );
    expect(reasons.every((reason) => reason.startsWith('x-mcp-header'))).toBe(true);
    const schema = properties({
      region: mirrored('Region'),
      limit: mirrored('Limit', 'integer'),
      deep: properties({ er: mirrored("x'Y", 'boolean') }),
      plain: { type: 'array', items: { type: 'string' } },
    });
    expect(planned(schema)).toEqual([
      { header: 'mcp-param-region', path: ['region'], type: 'string' },
      { header: 'mcp-param-limit', path: ['limit'], type: 'integer' },
      { header: "mcp-param-x'y", path: ['deep', 'er'], type: 'boolean' },
    ]);
  });

  it.each([
    ['a property that has the annotation for its name', properties({ 'x-mcp-header': { type: 'string' } })],
    [
      'a default that holds the word',
      properties({ a: { type: 'object', default: { 'x-mcp-header': 'A' } } }),
    ],
    ['a const that holds the word', properties({ a: { const: { 'x-mcp-header': 1 } } })],
    ['examples that hold the word', properties({ a: { examples: [{ 'x-mcp-header': 1 }] } })],
    ['a boolean schema', true],
    ['no schema', undefined],
  ])('are not found in %s', (_what, schema) => {
    expect(planned(schema)).toEqual([]);
  });

  it('are looked for in bounded time in a schema of any depth', () => {
    let schema: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 10_000; depth++) schema = properties({ a: schema });
    expect(planned(schema)).toEqual([]);
  });
});

describe('the headers of a call', () => {
  const params = planned(
    properties({
      region: mirrored('Region'),
      limit: mirrored('Limit', 'integer'),
      deep: properties({ flag: mirrored('Flag', 'boolean') }),
    }),
  );
  const headersFrom = (flat: readonly string[]) => {
    const map = new Map<string, string>();
    for (let at = 0; at < flat.length; at += 2) map.set(flat[at] ?? '', flat[at + 1] ?? '');
    return (name: string): string | undefined => map.get(name);
  };

  it(verifies('wire:headers:param-values'), () => {
    const args = { region: 'Zürich', limit: 42, deep: { flag: false } };
    const flat = renderParamHeaders(params, args);
    expect(flat).toEqual([
      'mcp-param-region',
      '=?base64?WsO8cmljaA==?=',
      'mcp-param-limit',
      '42',
      'mcp-param-flag',
      'false',
    ]);
    expect(checkParamHeaders(params, args, headersFrom(flat))).toBeUndefined();
    expect(checkParamHeaders(params, { ...args, region: 'Bern' }, headersFrom(flat))).toMatch(
      'mcp-param-region',
    );
    expect(
      checkParamHeaders(params, { limit: 42 }, headersFrom(['mcp-param-limit', '42.0'])),
    ).toBeUndefined();
    expect(checkParamHeaders(params, { limit: 42 }, headersFrom(['mcp-param-limit', '43']))).toMatch('limit');
  });

  it('leave out what is absent or null, also along the way', () => {
    for (const args of [{}, { region: null, deep: null }, { deep: 'x' }, undefined, null, [], { deep: {} }]) {
      expect(renderParamHeaders(params, args)).toEqual([]);
      expect(checkParamHeaders(params, args, () => undefined)).toBeUndefined();
    }
  });

  it('are not read from what objects inherit', () => {
    const [param] = planned(properties({ constructor: mirrored('C') }));
    expect(renderParamHeaders(param === undefined ? [] : [param], {})).toEqual([]);
  });

  it.each([
    ['missing', { region: 'a' }, []],
    ['too many', {}, ['mcp-param-region', 'a']],
    ['malformed', { region: 'a' }, ['mcp-param-region', '=?base64?*?=']],
    ['malformed and too many', {}, ['mcp-param-region', '=?base64?*?=']],
    ['of another case', { region: 'A' }, ['mcp-param-region', 'a']],
  ])('are refused when %s', (_what, args, flat) => {
    expect(checkParamHeaders(params, args, headersFrom(flat))).toContain('mcp-param-region');
  });
});
