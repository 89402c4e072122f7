import { ListToolsResultSchema as ModernTools } from '@modelcontextprotocol/core';
import {
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  ListToolsResultSchema as LegacyTools,
} from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DefinitionVerdict, judgeDefinition } from '../../../src/catalog/definition.ts';
import { type DefinitionKind, LISTS } from '../../../src/domain/index.ts';
import { verifies } from '../../requirements/catalog.ts';
import { rawDefinition } from './fake-server.ts';

const judge = (kind: DefinitionKind, entry: object | string): DefinitionVerdict =>
  judgeDefinition(rawDefinition(kind, entry));

/** The JSON that hosts get of a definition; the reason when it is withheld. */
function shown(kind: DefinitionKind, entry: object | string): string {
  const verdict = judge(kind, entry);
  return verdict.ok ? verdict.definition.json.toString() : `withheld: ${verdict.reason}`;
}

const value = fc.jsonValue({ maxDepth: 2 });
/** Mostly sound, sometimes null, sometimes of any other type. */
const maybe = (sound: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 40, arbitrary: sound },
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: value },
  );
const record = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(members, { requiredKeys: [], noNullPrototype: true });

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const strings = fc.array(maybe(text), { maxLength: 3 });
const icon = record({
  src: maybe(text),
  mimeType: maybe(text),
  sizes: maybe(strings),
  theme: maybe(fc.constantFrom('light', 'dark', 'sepia')),
});
const common = {
  title: maybe(text),
  description: maybe(text),
  icons: maybe(fc.array(icon, { maxLength: 2 })),
  _meta: maybe(fc.dictionary(text, value)),
  'x-unknown': value,
};
const schema = record({
  $schema: maybe(text),
  type: maybe(fc.constantFrom('object', 'array', ['object', 'null'])),
  properties: maybe(fc.dictionary(text, maybe(fc.oneof(fc.constant({ type: 'string' }), fc.boolean())))),
  required: maybe(strings),
  additionalProperties: fc.boolean(),
});
const flag = maybe(fc.boolean());
const tools = record({
  ...common,
  name: maybe(fc.string({ minLength: 1 })),
  inputSchema: maybe(schema),
  outputSchema: maybe(schema),
  annotations: maybe(
    record({
      title: maybe(text),
      readOnlyHint: flag,
      destructiveHint: flag,
      idempotentHint: flag,
      openWorldHint: flag,
    }),
  ),
  execution: maybe(
    record({ taskSupport: maybe(fc.constantFrom('required', 'optional', 'forbidden', 'never')) }),
  ),
});
const prompts = record({
  ...common,
  name: maybe(fc.string({ minLength: 1 })),
  arguments: maybe(
    fc.array(record({ name: maybe(text), description: maybe(text), required: flag }), { maxLength: 3 }),
  ),
});
const listedData = {
  ...common,
  name: maybe(text),
  mimeType: maybe(text),
  size: maybe(fc.double()),
  annotations: maybe(
    record({
      audience: maybe(fc.array(fc.constantFrom('user', 'assistant', 'developer'), { maxLength: 2 })),
      priority: maybe(fc.double({ min: -1, max: 2, noNaN: true })),
      lastModified: maybe(
        fc.constantFrom('2026-01-12T15:00:58Z', '2026-01-12T15:00:58.5+01:00', '2026-01-12', 'now'),
      ),
    }),
  ),
};
const resources = record({ ...listedData, uri: maybe(text.map((tail) => `test://${tail}`)) });
const templates = record({ ...listedData, uriTemplate: maybe(text.map((tail) => `test://{id}${tail}`)) });

interface Reader {
  safeParse(list: unknown): { readonly success: boolean };
}
const READERS: readonly (readonly [DefinitionKind, fc.Arbitrary<object>, readonly Reader[]])[] = [
  ['tool', tools, [LegacyTools, ModernTools]],
  ['prompt', prompts, [ListPromptsResultSchema]],
  ['resource', resources, [ListResourcesResultSchema]],
  ['template', templates, [ListResourceTemplatesResultSchema]],
];

describe('a list of judged definitions', () => {
  it(verifies('catalog:definitions:hosts-accept-all'), () => {
    for (const [kind, arbitrary, readers] of READERS) {
      let accepted = 0;
      fc.assert(
        fc.property(fc.array(arbitrary, { maxLength: 6 }), (entries) => {
          const sound = entries.flatMap((entry) => {
            const verdict = judge(kind, entry);
            return verdict.ok ? [verdict.definition] : [];
          });
          accepted += sound.length;
          for (const reader of readers) {
            const form = reader === LegacyTools ? 'legacyJson' : 'json';
            const list = {
              [LISTS[kind].member]: sound.map((item) => JSON.parse(item[form].toString()) as unknown),
            };
            expect(reader.safeParse(list)).toMatchObject({ success: true });
          }
        }),
        { numRuns: 150 },
      );
      expect(accepted).toBeGreaterThan(20);
    }
  });
});

describe('a definition that cannot be used', () => {
  const tool = (members: object): object => ({ name: 't', inputSchema: { type: 'object' }, ...members });
  const BROKEN: readonly (readonly [DefinitionKind, object | string, string])[] = [
    ['tool', '{', 'cannot be read'],
    ['tool', 'null', 'not a JSON object'],
    ['tool', '[]', 'not a JSON object'],
    ['tool', '"t"', 'not a JSON object'],
    ['tool', { inputSchema: {} }, '"name" is missing or not a string'],
    ['tool', tool({ name: 7 }), '"name" is missing or not a string'],
    ['tool', tool({ name: '' }), '"name" is missing or not a string'],
    ['tool', '{"name":"\\ud800","inputSchema":{"type":"object"}}', 'not well-formed text'],
    ['tool', tool({ inputSchema: [] }), '"inputSchema" is not an object'],
    ['tool', tool({ inputSchema: true }), '"inputSchema" is not an object'],
    ['tool', tool({ inputSchema: 'object' }), '"inputSchema" is not an object'],
    ['tool', tool({ inputSchema: { type: 'array' } }), 'arguments are always an object'],
    ['tool', tool({ inputSchema: { type: ['string'] } }), 'arguments are always an object'],
    [
      'tool',
      tool({ inputSchema: { type: 'object', required: true } }),
      '"inputSchema.required" is not a list',
    ],
    [
      'tool',
      tool({ inputSchema: { type: 'object', required: [1] } }),
      '"inputSchema.required[0]" is not a string',
    ],
    ['tool', tool({ inputSchema: { type: 'object', properties: [] } }), 'not an object of schemas'],
    ['tool', tool({ inputSchema: { type: 'object', properties: { a: null } } }), 'not an object of schemas'],
    ['tool', tool({ inputSchema: { type: 'object', $schema: 7 } }), '"inputSchema.$schema" is not a string'],
    ['tool', tool({ outputSchema: [] }), '"outputSchema" is not an object'],
    ['tool', tool({ title: {} }), '"title" is not a string'],
    ['tool', tool({ description: 5 }), '"description" is not a string'],
    [
      'tool',
      tool({ annotations: { readOnlyHint: 'yes' } }),
      '"annotations.readOnlyHint" is not true or false',
    ],
    ['tool', tool({ icons: [{ mimeType: 'image/png' }] }), '"icons[0]" has no "src"'],
    ['tool', tool({ _meta: [] }), '"_meta" is not an object'],
    [
      'tool',
      tool({ inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } } }),
      'only string, integer and boolean',
    ],
    ['prompt', { name: 'p', arguments: {} }, '"arguments" is not a list'],
    ['prompt', { name: 'p', arguments: [{ description: 'x' }] }, '"arguments[0]" has no "name"'],
    ['prompt', { name: 'p', arguments: [null] }, '"arguments[0]" is not an object'],
    ['resource', { uri: 'README.md' }, 'has no scheme'],
    ['resource', { uri: 'test://a', mimeType: 5 }, '"mimeType" is not a string'],
    ['template', { uriTemplate: '{+path}' }, 'has no scheme'],
    ['template', { uriTemplate: `x:${'{a}'.repeat(99)}` }, 'cannot be matched'],
  ];

  it.each(BROKEN)('of kind %s, %j, is withheld: %s', (kind, entry, reason) => {
    expect(shown(kind, entry)).toContain(reason);
  });

  it(verifies('catalog:definitions:read-one-way'), () => {
    const twice = [
      '{"name":"a","name":"b","inputSchema":{"type":"object"}}',
      '{"name":"a","description":"x","description":"y","inputSchema":{"type":"object"}}',
      '{"name":"a","n\\u0061me":"b","inputSchema":{"type":"object"}}',
      '{"name":"a","inputSchema":{"type":"array","type":"object"}}',
      '{"name":"a","inputSchema":{"type":"object","properties":{"x":{},"x":{}}}}',
      '{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false,"readOnlyHint":true}}',
      '{"name":"a","inputSchema":{"type":"object"},"_meta":{"ui":{"resourceUri":"ui://a","resourceUri":"ui://b"}}}',
      '{"name":"a","inputSchema":{"type":"object"},"_meta":{"ui":{},"ui":{"resourceUri":"ui://b"}}}',
    ];
    for (const entry of twice) expect(shown('tool', entry)).toContain('stands twice');
  });

  it(verifies('catalog:definitions:bounded'), () => {
    const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`p${n}`, { type: 'string' }])),
    );
    const entries = [
      `{"name":"a","inputSchema":{"type":"object","properties":{"x":${deep(100_000)}}}}`,
      `{"name":"a","inputSchema":{"type":${lists(100_000)}}}`,
      `{"name":"a","inputSchema":{"type":"object"},"outputSchema":${deep(100_000)}}`,
      `{"name":"a","inputSchema":{"type":"object","$ref":"#","properties":{"self":{"$ref":"#"}}}}`,
      `{"name":"a","inputSchema":{"type":"object","properties":${wide}}}`,
      `{"name":"a","icons":${lists(100_000)},"inputSchema":{"type":"object"}}`,
    ];
    const startedAt = performance.now();
    const verdicts = entries.map((entry) => judge('tool', entry).ok);
    expect(verdicts).toEqual([true, false, true, true, true, false]);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('a definition with harmless gaps', () => {
  const MENDED: readonly (readonly [DefinitionKind, string, string])[] = [
    ['tool', '{"name":"a"}', '{"inputSchema":{"type":"object"},"name":"a"}'],
    ['tool', '{"name":"a","inputSchema":null}', '{"inputSchema":{"type":"object"},"name":"a"}'],
    ['tool', '{"name":"a","inputSchema":{}}', '{"name":"a","inputSchema":{"type":"object"}}'],
    [
      'tool',
      '{"name":"a","inputSchema":{"$schema":"x"}}',
      '{"name":"a","inputSchema":{"type":"object","$schema":"x"}}',
    ],
    [
      'tool',
      '{"name":"a","inputSchema":{"type":null,"required":null,"properties":null}}',
      '{"name":"a","inputSchema":{"type":"object"}}',
    ],
    [
      'tool',
      '{"name":"a","inputSchema":{"title":null,"type":["object","null"]}}',
      '{"name":"a","inputSchema":{"type":"object","title":null}}',
    ],
    [
      'tool',
      '{"title":null,"name":"a","inputSchema":{"type":"object"},"outputSchema":null,"annotations":{"title":null,"readOnlyHint":true},"icons":null,"execution":{"taskSupport":null},"_meta":null}',
      '{"name":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"execution":{}}',
    ],
    [
      'prompt',
      '{"name":"p","description":null,"arguments":[{"name":"x","description":null,"required":true},{"required":null,"name":"y"}]}',
      '{"name":"p","arguments":[{"name":"x","required":true},{"name":"y"}]}',
    ],
    ['prompt', '{"name":"p","arguments":null}', '{"name":"p"}'],
    [
      'resource',
      '{"uri":"a:b","name":null,"mimeType":null,"size":null,"annotations":{"audience":null,"priority":0.5}}',
      '{"name":"a:b","uri":"a:b","annotations":{"priority":0.5}}',
    ],
    ['template', '{"uriTemplate":"a:{b}"}', '{"name":"a:{b}","uriTemplate":"a:{b}"}'],
    [
      'resource',
      '{"uri":"a:b","name":"n","annotations":{"audience":["everyone"],"priority":7,"lastModified":"yesterday"}}',
      '{"uri":"a:b","name":"n","annotations":{}}',
    ],
  ];

  it(verifies('catalog:definitions:harmless-repairs'), () => {
    for (const [kind, entry, expected] of MENDED) expect(shown(kind, entry)).toBe(expected);
  });

  it('keeps nulls where they have a meaning: in schemas, in metadata, in members that nobody knows', () => {
    const entry =
      '{"name":"a","x-vendor":null,"_meta":{"k":null},"inputSchema":{"type":"object","default":null,"properties":{"p":{"const":null,"enum":[null],"description":null}}}}';
    expect(shown('tool', entry)).toBe(entry);
  });

  it('is read as what it was mended to', () => {
    const verdict = judge('tool', '{"name":"a","inputSchema":null,"title":null}');
    expect(verdict.ok && verdict.definition.value).toEqual({ name: 'a', inputSchema: { type: 'object' } });
  });
});

describe('a sound definition', () => {
  const soundSchema = fc.dictionary(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', '$defs', 'definitions', '$ref', 'constructor'),
    ),
    value,
  );

  it(verifies('catalog:definitions:sound-untouched'), () => {
    const examples = [
      '{"name":"a","inputSchema":{"type":"object","$defs":{"x":{"$anchor":"n"}},"properties":{"a":{"$ref":"#/$defs/x"},"$defs":{"type":"string"},"title":{},"default":true}},"x-unknown":[1.0,1e400,9007199254740993,-0]}',
      '{"z":1,"name":"a","inputSchema":{"oneOf":[{"required":["a"]}],"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}},"a":2}',
      ' {\n "name" : "\\u0061" , "inputSchema" : { "type" : "\\u006fbject" } } ',
      `{"name":"a","inputSchema":{"type":"object","properties":{"e":{"enum":${JSON.stringify(Array.from({ length: 5_000 }, (_, n) => n))}}}}}`,
      '{"name":"a","inputSchema":{"type":"object","properties":{"u":{"$ref":"https://example.com/s.json"}}},"outputSchema":{"$schema":"http://json-schema.org/draft-04/schema#","pattern":"(["}}',
    ];
    for (const entry of examples) {
      const raw = rawDefinition('tool', entry);
      const verdict = judgeDefinition(raw);
      expect(verdict.ok && verdict.definition.json).toBe(raw.json);
    }
    fc.assert(
      fc.property(soundSchema, soundSchema, soundSchema, (schemaMembers, meta, unknown) => {
        const entry = {
          'x-first': unknown,
          name: 'a',
          inputSchema: {
            ...schemaMembers,
            type: 'object',
            properties: { p: schemaMembers },
            required: ['p'],
            $schema: 's',
          },
          _meta: meta,
        };
        const raw = rawDefinition('tool', entry);
        const verdict = judgeDefinition(raw);
        // An annotation of a header that is none is the one thing in a schema that is looked for.
        expect(verdict.ok && verdict.definition.json).toBe(raw.json);
      }),
    );
  });

  it('of any other kind keeps its bytes as well', () => {
    const sound: readonly (readonly [DefinitionKind, string])[] = [
      [
        'prompt',
        '{"x":1.0,"name":"p","arguments":[{"name":"a","required":false,"x":null}],"icons":[{"src":"data:,"}]}',
      ],
      [
        'resource',
        '{"uri":"ui://a/b","name":"n","_meta":{"ui":{"csp":{}}},"size":1e3,"annotations":{"audience":["user"]}}',
      ],
      ['template', '{"uriTemplate":"r://{a}{?b*}","name":"n","mimeType":"text/plain;profile=mcp-app"}'],
    ];
    for (const [kind, entry] of sound) expect(shown(kind, entry)).toBe(entry);
  });
});

describe('a tool for handshake hosts', () => {
  const legacy = (entry: object | string): string => {
    const verdict = judge('tool', entry);
    return verdict.ok ? verdict.definition.legacyJson.toString() : `withheld: ${verdict.reason}`;
  };

  it(verifies('catalog:definitions:legacy-form'), () => {
    const forms: readonly (readonly [string, string])[] = [
      [
        '{"name":"a","inputSchema":{"type":"object","properties":{"x":true,"y":false,"z":{"type":"string"}}}}',
        '{"name":"a","inputSchema":{"type":"object","properties":{"x":{},"y":{"not":{}},"z":{"type":"string"}}}}',
      ],
      [
        '{"name":"a","outputSchema":{"type":"array"},"inputSchema":{"type":"object"}}',
        '{"name":"a","inputSchema":{"type":"object"}}',
      ],
      [
        '{"name":"a","inputSchema":{"type":"object"},"outputSchema":{}}',
        '{"name":"a","inputSchema":{"type":"object"}}',
      ],
      [
        '{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"x":true}}}',
        '{"name":"a","inputSchema":{"type":"object"}}',
      ],
      [
        '{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":null}}',
        '{"name":"a","inputSchema":{"type":"object"}}',
      ],
    ];
    for (const [entry, expected] of forms) {
      expect(legacy(entry)).toBe(expected);
      expect(shown('tool', entry)).toBe(entry);
    }
  });

  it('is the same bytes where the revision allows them', () => {
    const raw = rawDefinition(
      'tool',
      '{"name":"a","inputSchema":{"type":"object","properties":{"x":{}}},"outputSchema":{"type":"object","properties":{"y":{}},"required":["y"]}}',
    );
    const verdict = judgeDefinition(raw);
    expect(verdict.ok && verdict.definition.legacyJson).toBe(raw.json);
  });
});
