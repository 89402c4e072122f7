import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactForm } from '../../../src/exposure/compact.ts';
import { verifies } from '../../requirements/exposure.ts';

type Fields = Readonly<Record<string, unknown>>;

const schemaOf = (json: string): Fields => (JSON.parse(json) as { inputSchema: Fields }).inputSchema;
const compacted = (inputSchema: unknown): Fields =>
  schemaOf(compactForm(JSON.stringify({ name: 't', description: 'd', inputSchema })));

const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, logger: false });

/** An independent judge of which values a schema accepts. */
const judge = (schema: unknown): ((value: unknown) => boolean) => ajv.compile(schema as object);

/** As it is after a way over the wire. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Names that are keywords in the place of a schema, and mean nothing as names of properties. */
const KEYWORDS = [
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'type',
  'required',
  'enum',
  '$defs',
  'definitions',
  'properties',
  'items',
  'const',
];

const annotations = fc.record(
  {
    title: fc.string(),
    description: fc.string({ maxLength: 200 }),
    $comment: fc.string(),
    deprecated: fc.boolean(),
    examples: fc.array(fc.jsonValue(), { maxLength: 2 }),
    default: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const names = fc.constantFrom(...KEYWORDS, 'a');
/** Values that have keywords as keys. */
const literals = fc.oneof(
  fc.dictionary(names, fc.oneof(fc.constantFrom(...KEYWORDS), fc.integer({ min: 0, max: 3 })), {
    maxKeys: 3,
  }),
  fc.constantFrom(...KEYWORDS),
  fc.integer({ min: 0, max: 3 }),
  fc.boolean(),
);

const { schema: schemas } = fc.letrec<{ schema: Fields | boolean; plain: Fields }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.boolean(),
    fc.tuple(annotations, tie('plain')).map(([notes, plain]) => ({ ...notes, ...plain })),
  ),
  plain: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ type: fc.constantFrom('string', 'integer', 'boolean', 'object', 'array') }),
    fc.record({ const: literals }),
    fc.record({
      enum: fc.uniqueArray(literals, {
        minLength: 1,
        maxLength: 3,
        comparator: 'SameValueZero',
        selector: (value) => JSON.stringify(value),
      }),
    }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 4 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.constantFrom('^t', '^d', 'title'), tie('schema'), { maxKeys: 2 }),
        dependentSchemas: fc.dictionary(names, tie('schema'), { maxKeys: 1 }),
        propertyNames: tie('schema'),
        $defs: fc.dictionary(names, tie('schema'), { maxKeys: 2 }),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        contains: tie('schema'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        if: tie('schema'),
        then: tie('schema'),
        else: tie('schema'),
      },
      { requiredKeys: [] },
    ),
  ),
}));
const instances = fc.oneof(
  literals,
  fc.array(literals, { maxLength: 3 }),
  fc.dictionary(names, fc.oneof(literals, fc.array(literals, { maxLength: 2 })), { maxKeys: 4 }),
);

describe('a compact definition', () => {
  it(verifies('exposure:compact:same-instances'), () => {
    fc.assert(
      fc.property(schemas, fc.array(instances, { minLength: 1, maxLength: 12 }), (schema, values) => {
        const before = judge(plain(schema));
        const after = judge(compacted(schema));
        for (const value of values.map(plain)) expect([value, after(value)]).toEqual([value, before(value)]);
      }),
      { numRuns: 400 },
    );
  });

  it(verifies('exposure:compact:names-are-no-keywords'), () => {
    const properties = Object.fromEntries(
      KEYWORDS.map((name) => [
        name,
        { type: 'string', title: name, description: 'x'.repeat(200), examples: [name] },
      ]),
    );
    const literal = { title: 'a', description: 'b'.repeat(200), examples: ['c'], default: { $comment: 'd' } };
    const schema = {
      type: 'object',
      title: 'Arguments',
      properties: { ...properties, list: { items: { properties }, title: 'list' } },
      patternProperties: { '^title$': { title: 'gone' } },
      required: KEYWORDS,
      const: literal,
      enum: [literal],
      'x-unknown': literal,
    };
    const compact = compacted(schema);
    const bare = Object.fromEntries(
      KEYWORDS.map((name) => [name, { type: 'string', description: `${'x'.repeat(59)}…` }]),
    );
    expect(compact).toEqual({
      type: 'object',
      properties: { ...bare, list: { items: { properties: bare } } },
      patternProperties: { '^title$': {} },
      required: KEYWORDS,
      const: literal,
      enum: [literal],
      'x-unknown': literal,
    });
  });

  it('keeps the digits of numbers, the order of members and everything that is not for a model', () => {
    const json =
      '{"name":"t","title":"T","description":"First sentence of it. ' +
      'x'.repeat(200) +
      '","inputSchema":{"title":"gone","maximum":12345678901234567890.10,"z":1,"a":2},"_meta":{"title":"m"}}';
    expect(compactForm(json)).toBe(
      '{"name":"t","title":"T","description":"First sentence of it.","inputSchema":{"maximum":12345678901234567890.10,"z":1,"a":2},"_meta":{"title":"m"}}',
    );
  });

  it('keeps what a reference points into', () => {
    const long = { type: 'string', minLength: 3, pattern: '^[a-z]+$' };
    for (const pointer of [
      '#/properties/a/default',
      '#/properties/a/%64efault',
      '#/examples/0',
      '#/$defs/x/deprecated',
    ]) {
      const schema = {
        properties: { a: { default: long }, b: { $ref: pointer } },
        examples: [long],
        $defs: { x: { deprecated: true } },
      };
      expect(compacted(schema)).toEqual(schema);
    }
    const named = { examples: [{ $id: 'urn:x', type: 'string' }], properties: { b: { $ref: 'urn:x' } } };
    expect(compacted(named)).toEqual(named);
  });

  it(verifies('exposure:compact:bounded'), () => {
    const nested = (depth: number): string =>
      '{"title":"t","properties":{"a":'.repeat(depth) + '{}' + '}}'.repeat(depth);
    const wrap = (schema: string): string => `{"name":"t","inputSchema":${schema}}`;
    const bomb = Object.fromEntries(
      Array.from({ length: 30 }, (_item, level) => [
        `l${level}`,
        { title: 'x', allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    );
    const node = {
      type: 'object',
      title: 'Node',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    };
    const huge = wrap(`{"description":"${'word '.repeat(1_600_000)}"}`);
    const started = performance.now();
    expect(compactForm(wrap(nested(5_000)))).toContain('"a":{}');
    expect(JSON.parse(compactForm(wrap(JSON.stringify({ $defs: bomb }))))).toBeDefined();
    expect(compacted(node)).not.toHaveProperty('title');
    expect(compactForm(huge)).toBe(huge);
    expect(performance.now() - started).toBeLessThan(1_000);
    // What can be read in two ways stays as it is.
    const twice = wrap('{"title":"a","title":"b"}');
    expect(compactForm(twice)).toBe(twice);
  });

  it('cuts texts at the end of a sentence or a word, and no character in two', () => {
    const shortOf = (description: string): string =>
      (JSON.parse(compactForm(JSON.stringify({ name: 't', description }))) as { description: string })
        .description;
    expect(shortOf('short')).toBe('short');
    expect(shortOf(`Reads one file from the disk. ${'more '.repeat(60)}`)).toBe(
      'Reads one file from the disk.',
    );
    expect(shortOf('读取文件的内容并返回。'.repeat(30))).toBe('读取文件的内容并返回。');
    expect(shortOf('word '.repeat(80))).toMatch(/^(?:word ){30}word…$/);
    expect(shortOf('😀'.repeat(200))).toMatch(/^(?:😀)+…$/u);
  });
});
