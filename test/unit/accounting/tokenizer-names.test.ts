import { expect, it } from 'vitest';

import { DEFAULT_TOKENIZER, TOKENIZER_NAMES } from '../../../src/accounting/index.ts';
import { parseConfig, TOKENIZERS } from '../../../src/config/index.ts';

it('the configuration knows the tokenizers that can count, and no other', () => {
  expect([...TOKENIZERS]).toEqual([...TOKENIZER_NAMES]);
});

it('what counts when the configuration says nothing is the default of the counter', () => {
  const config = parseConfig('servers: {}', { path: 'gateway.config.yaml', env: {} });
  expect(config.accounting.tokenizer).toBe(DEFAULT_TOKENIZER);
});
