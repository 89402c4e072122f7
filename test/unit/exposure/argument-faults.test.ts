import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentFaults } from '../../../src/exposure/argument-faults.ts';
import { verifies } from '../../requirements/exposure.ts';

const ajv = new Ajv2020({
  ownProperties: true,
  strict: false,
  validateSchema: false,
  validateFormats: false,
  logger: false,
});
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'array', 'object', 'null');
const property = fc.oneof(
  fc.boolean(),
  fc.record({ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })) }),
  fc.record({ $ref: fc.constant('#/$defs/any'), type: types }),
  fc.record({ enum: fc.array(fc.jsonValue(), { minLength: 1 }) }),
);
const names = fc.constantFrom('a', 'b', 'type', 'toString');
const schemas = fc.record(
  {
    type: fc.constant('object'),
    properties: fc.dictionary(names, property, { noNullPrototype: true }),
    required: fc.uniqueArray(names),
    additionalProperties: fc.boolean(),
    patternProperties: fc.constant({ '^b': true }),
    $defs: fc.constant({ any: true }),
  },
  { requiredKeys: ['type', '$defs'], noNullPrototype: true },
);
const values = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true });

describe('what is wrong with arguments', () => {
  it(verifies('exposure:call:never-stricter'), () => {
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 8 }), (schema, all) => {
        const accepts = ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
        // Refused here and accepted there: nothing may be.
        const wronged = all.filter((args) => argumentFaults(schema, args).length > 0 && accepts(args));
        expect(wronged).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('leaves to the server what a schema says in another way', () => {
    for (const schema of [
      true,
      {},
      { $ref: '#/x', required: ['a'] },
      { properties: { a: { type: 'file' } } },
    ])
      expect(argumentFaults(schema, { a: 1 })).toEqual([]);
    const nullable = { properties: { a: { type: 'string', nullable: true } }, required: true };
    expect(argumentFaults(nullable, { a: null })).toEqual([]);
    expect(
      argumentFaults({ properties: { a: { type: 'integer' } } }, { a: JSON.parse('1e400') as number }),
    ).toEqual([]);
  });
});
