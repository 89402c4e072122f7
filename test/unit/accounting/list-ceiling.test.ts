import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countedText, listCeiling } from '../../../src/accounting/index.ts';
import { verifies } from '../../requirements/accounting.ts';

const plain = { disallowedSpecial: new Set<string>() };
const costOf = (text: string): number => countTokens(text, plain);

const words = fc.constantFrom(
  'read',
  'a file',
  '读取文件',
  'list, then sort',
  'Ünïcode',
  '{"x"}',
  '🙂',
  'limit: 10.',
);
const text = fc.array(words, { minLength: 1, maxLength: 30 }).map((parts) => parts.join(' '));
const schema = fc.oneof(
  fc.constant({ type: 'object' }),
  fc
    .dictionary(
      fc.constantFrom('path', 'query', 'limit', '$defs', '名'),
      fc.record({ type: fc.constant('string'), description: text }),
    )
    .map((properties) => ({ type: 'object', properties })),
  fc.dictionary(text, fc.jsonValue({ maxDepth: 3 })),
);
/** As servers describe their tools: a sentence or two, and properties with sentences of their own. */
const described = fc
  .tuple(
    fc.stringMatching(/^[a-z]{2,8}__[a-z_]{2,20}$/),
    fc.array(words, { minLength: 10, maxLength: 30 }),
    fc.nat(6),
  )
  .map(([name, parts, count]) => {
    const description = parts.join(' ');
    const names = Array.from({ length: count + 2 }, (_, index) => `${name.slice(0, 4)}_${index}`);
    const properties = Object.fromEntries(names.map((key) => [key, { type: 'string', description }]));
    return countedText(JSON.stringify({ name, description, inputSchema: { type: 'object', properties } }));
  });

const definition = fc
  .record({
    name: fc.stringMatching(/^[a-z]{2,8}__[a-z_]{2,20}$/),
    description: fc.option(text, { nil: undefined }),
    inputSchema: schema,
  })
  .map((value) => countedText(JSON.stringify(value)));

const countedAsArray = (definitions: readonly string[]): number => costOf(`[${definitions.join(',')}]`);

describe('the cost of a list', () => {
  it(verifies('accounting:tokens:add-up'), () => {
    fc.assert(
      fc.property(fc.array(described, { minLength: 20, maxLength: 60 }), (definitions) => {
        const sum = definitions.map(costOf).reduce((total, cost) => total + cost, 0);
        expect(Math.abs(sum - countedAsArray(definitions)) / sum).toBeLessThan(0.001);
      }),
      { numRuns: 30 },
    );
  });

  it('is never above its ceiling, and seldom far below', () => {
    fc.assert(
      fc.property(fc.array(definition, { minLength: 1, maxLength: 40 }), (definitions) => {
        const ceiling = listCeiling(definitions.map(costOf));
        const counted = countedAsArray(definitions);
        expect(counted).toBeLessThanOrEqual(ceiling);
        // A brace that ends one definition may share its token with the one that begins the next.
        expect(ceiling - counted).toBeLessThanOrEqual(2 + definitions.length);
      }),
    );
  });

  it('is nothing without tools', () => {
    expect(listCeiling([])).toBe(0);
  });
});
