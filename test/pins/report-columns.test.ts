import { expect, it } from 'vitest';
import { REPORT_COLUMNS, REPORT_GROUPS, TOKENIZER_NAMES } from '../../src/accounting/index.ts';

it('pins the columns of a report, which others script against', () => {
  expect(REPORT_COLUMNS).toEqual([
    'group',
    'requests',
    'errors',
    'definitionTokens',
    'tokensAvoided',
    'metaToolTokens',
    'searchAnswerTokens',
    'netSavings',
    'searchAnswersUncounted',
    'resultTokens',
    'resultsCounted',
    'requestBytes',
    'responseBytes',
    'cacheHits',
    'p50Ms',
    'p95Ms',
  ]);
});

it('pins what a report may be grouped by', () => {
  expect(REPORT_GROUPS).toEqual(['total', 'server', 'tool', 'client', 'principal', 'day']);
});

it('pins the names of the tokenizers', () => {
  expect(TOKENIZER_NAMES).toEqual([
    'o200k_base',
    'o200k_harmony',
    'cl100k_base',
    'p50k_base',
    'p50k_edit',
    'r50k_base',
    'gpt2',
  ]);
});
