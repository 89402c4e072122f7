import { describe, expect, it } from 'vitest';

import { createTokenMetrics } from '../../../src/telemetry/index.ts';
import { verifies } from '../../requirements/telemetry.ts';

const figures = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('createTokenMetrics', () => {
  it(verifies('telemetry:metrics:tokens'), () => {
    const metrics = createTokenMetrics({ tokenizer: 'o200k_base', countsSearchAnswers: true });
    metrics.list('default', { definitionTokens: 900, metaToolTokens: 400, visibleTokens: 20_000 });
    metrics.list('default', { definitionTokens: 900, metaToolTokens: 400, visibleTokens: 20_000 });
    metrics.list('a"b', { definitionTokens: 300, visibleTokens: 300 });
    metrics.searchAnswer('default', 650);
    metrics.searchAnswer('default', 50);
    const [ofDefault, ofOther] = ['default', 'a\\"b'].map(
      (profile) => `{profile="${profile}",tokenizer="o200k_base"}`,
    );
    expect(figures(metrics.render())).toEqual([
      `tollgate_definition_tokens_total${ofDefault} 1800`,
      `tollgate_definition_tokens_total${ofOther} 300`,
      `tollgate_meta_tool_tokens_total${ofDefault} 800`,
      `tollgate_meta_tool_tokens_total${ofOther} 0`,
      `tollgate_definition_tokens_avoided_total${ofDefault} 39000`,
      `tollgate_definition_tokens_avoided_total${ofOther} 0`,
      `tollgate_search_answer_tokens_total${ofDefault} 700`,
      `tollgate_search_answer_tokens_total${ofOther} 0`,
    ]);
    const uncounted = createTokenMetrics({ tokenizer: 'gpt2', countsSearchAnswers: false });
    uncounted.list('default', { definitionTokens: 1 });
    expect(uncounted.render()).not.toContain('search_answer');
    expect(uncounted.render()).toContain('tokenizer="gpt2"} 1');
  });

  it('names and types every family, also before anything is counted', () => {
    const text = createTokenMetrics({ tokenizer: 'o200k_base', countsSearchAnswers: true }).render();
    expect(text.match(/^# TYPE \S+ counter$/gm)).toHaveLength(4);
    expect(text.match(/^# HELP \S+ \S.*$/gm)).toHaveLength(4);
    expect(text.endsWith('\n')).toBe(true);
  });
});
