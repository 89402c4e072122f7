import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedText } from '../../../src/accounting/index.ts';

describe('the counted text of a definition', () => {
  it('is the compact JSON of name, description and input schema, in this order', () => {
    const listed = `{
      "title": "Add", "inputSchema": { "type": "object", "properties": { "b": {}, "a": { "maximum": 1.50 } } },
      "annotations": { "readOnlyHint": true }, "name": "math__add", "outputSchema": {}, "_meta": {},
      "description": "caf\\u00e9 \\/ tea"
    }`;
    expect(countedText(listed)).toBe(
      '{"name":"math__add","description":"café / tea","inputSchema":{"type":"object","properties":{"b":{},"a":{"maximum":1.5}}}}',
    );
  });

  it('leaves out what is absent', () => {
    expect(countedText('{"name":"x"}')).toBe('{"name":"x"}');
  });

  it('is what a host writes that parsed the definition, whatever the schema', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (name, description, inputSchema) => {
        const definition = { inputSchema, description, name };
        expect(countedText(JSON.stringify(definition, null, 2))).toBe(
          JSON.stringify({ name, description, inputSchema }),
        );
      }),
    );
  });

  it('exists for schemas too deep to be written by the usual means', () => {
    const depth = 200_000;
    const schema = `${'{ "items": '.repeat(depth)}{ "const": "a \\" b" }${' }'.repeat(depth)}`;
    const text = countedText(`{ "name": "deep", "inputSchema": ${schema}, "title": "t" }`);
    expect(text.slice(0, 60)).toBe('{"name":"deep","inputSchema":{"items":{"items":{"items":{"it');
    expect(text.length).toBe(
      '{"name":"deep","inputSchema":}'.length + depth * 10 + '{"const":"a \\" b"}'.length,
    );
  });

  it('does not exist for what is no JSON', () => {
    expect(() => countedText('{"name":')).toThrow(SyntaxError);
  });
});
