/** The tokenizers to choose from, by the names under which they are published. */
export const TOKENIZER_NAMES = [
  'o200k_base',
  'o200k_harmony',
  'cl100k_base',
  'p50k_base',
  'p50k_edit',
  'r50k_base',
  'gpt2',
] as const;

export type TokenizerName = (typeof TOKENIZER_NAMES)[number];

/** What most hosts' models of today are closest to, of those whose vocabulary is public. */
export const DEFAULT_TOKENIZER: TokenizerName = 'o200k_base';
