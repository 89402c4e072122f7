import { describe, expect, it } from 'vitest';
import { schemaText } from '../../../src/search/schema-text.ts';
import { verifies } from '../../requirements/search.ts';
import { indexOf, keysFor, tool } from './tools.ts';

const node = { type: 'object', properties: { child: { $ref: '#' }, label: { description: 'Shown text' } } };

function nested(depth: number): unknown {
  let schema: unknown = { description: 'bottom' };
  for (let level = 0; level < depth; level++) schema = { type: 'object', properties: { inner: schema } };
  return schema;
}

function bomb(levels: number): unknown {
  const definitions: Record<string, unknown> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++)
    definitions[`d${level}`] = {
      allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }],
    };
  return { $defs: definitions, properties: { start: { $ref: `#/$defs/d${levels}` } } };
}

/** One object that stands for itself everywhere: in memory, the worst fan-out there is. */
function shared(levels: number): unknown {
  let schema: unknown = { description: 'leaf' };
  for (let level = 0; level < levels; level++) schema = { allOf: [schema, schema], anyOf: [schema, schema] };
  return schema;
}

function circular(): unknown {
  const schema: Record<string, unknown> = { properties: {} };
  schema['properties'] = { self: schema };
  schema['items'] = schema;
  return schema;
}

function wide(megabytes: number): unknown {
  const text = 'x'.repeat(500);
  const properties = Object.fromEntries(
    Array.from({ length: megabytes * 2_000 }, (_, at) => [`p${at}`, { description: `${text} ${at}` }]),
  );
  return { type: 'object', properties };
}

describe('the text of a schema', () => {
  it.each([
    ['a tree', node],
    [
      'mutual references',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    ],
    ['a reference to itself', { $ref: '#' }],
    ['thirty doublings', bomb(30)],
    ['thirty doublings of one object', shared(30)],
    ['five thousand levels', nested(5_000)],
    ['eight megabytes', wide(8)],
    ['a circle', circular()],
  ])(`${verifies('search:schemas:bounded')}: %s`, (_, schema) => {
    const start = performance.now();
    const index = indexOf(tool('odd', 'grow_tree', 'Grows a tree', schema));
    expect(performance.now() - start).toBeLessThan(1_000);
    expect(keysFor(index, 'grow tree')).toEqual(['odd__grow_tree']);
  });

  it('holds names and descriptions, nearest first, and the few values that are accepted', () => {
    const schema = {
      type: 'object',
      description: 'Arguments',
      properties: {
        kind: { enum: ['bar', 'line', 3], title: 'Chart kind' },
        rows: { type: 'array', items: { properties: { cell: { description: 'A number' } } } },
      },
    };
    expect(schemaText(schema)).toEqual({
      names: ['kind', 'rows', 'cell'],
      texts: ['Arguments', 'Chart kind', 'bar', 'line', 'A number'],
    });
  });

  it.each([
    undefined,
    null,
    true,
    7,
    'text',
    [],
    { properties: null },
    { properties: [1], enum: 'x', items: 3 },
  ])('is empty where there is no schema: %j', (schema) => {
    expect(schemaText(schema)).toEqual({ names: [], texts: [] });
  });
});
