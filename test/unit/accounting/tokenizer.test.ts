import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTokenizer, type Tokenizer } from '../../../src/accounting/tokenizer.ts';
import { verifies } from '../../requirements/accounting.ts';

/** The library's own counting, of which only the vocabularies are used: exact, but hopeless at long pieces. */
const plain = { disallowedSpecial: new Set<string>() };
const oracles = {
  o200k_base: (text: string) => countO200k(text, plain),
  cl100k_base: (text: string) => countCl100k(text, plain),
};

const letters = fc.constantFrom(
  ...Array.from('abcXYZ019 _-{}":,.\n\t/é中文工具のツール한국어عربي🙂👩‍👧'),
  '\ud800',
);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ unit: letters, maxLength: 300 }),
  fc.json(),
  fc.constantFrom('<|endoftext|>', '<|im_start|> x', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '    \n\n   x'),
);

describe.each(['o200k_base', 'cl100k_base'] as const)('the tokenizer %s', (name) => {
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    tokenizer = await loadTokenizer(name);
  });

  it(verifies('accounting:tokens:exact'), () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(tokenizer.count(text)).toBe(oracles[name](text));
      }),
      { numRuns: 300 },
    );
  });

  it('counts long pieces as exactly as short ones', () => {
    const pieces = ['a', 'Ab', '工具可以读取文件并返回内容', '=-', ' ', '👩‍👧', '\n', 'é'];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(700 / piece.length));
      expect([piece, tokenizer.count(text)]).toEqual([piece, oracles[name](text)]);
    }
  });

  it('knows the empty text', () => {
    expect(tokenizer.count('')).toBe(0);
  });

  it('adds at most a few tokens where a text is too long to be matched in one go', () => {
    const sentence = 'Reads a file from disk, 读取文件, and returns its content. ';
    const text = sentence.repeat(12_000);
    expect(Math.abs(tokenizer.count(text) - oracles[name](text))).toBeLessThanOrEqual(4);
  });
});

describe('text that defeats a careless tokenizer', () => {
  it(verifies('accounting:tokens:bounded'), async () => {
    const { count } = await loadTokenizer('o200k_base');
    const many = 2 ** 16;
    const started = performance.now();
    expect(count('a'.repeat(4 * many))).toBe((4 * many) / 8);
    expect(count('工'.repeat(5 * many))).toBeGreaterThan(many);
    expect(count(' '.repeat(many))).toBeGreaterThan(many / 256);
    expect(count('e\u0301'.repeat(many))).toBeGreaterThan(many / 2);
    // Seconds at most; the usual way of merging would need an hour.
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
