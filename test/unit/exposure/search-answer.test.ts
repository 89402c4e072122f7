import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { withCounts } from '../../../src/exposure/counted.ts';
import { searchText } from '../../../src/exposure/search-answer.ts';
import { readSearch, type SearchArguments } from '../../../src/exposure/index.ts';
import { createSearchIndex } from '../../../src/search/index.ts';
import { SERVERS, TASKS } from '../../fixtures/definitions/services.ts';
import { verifies } from '../../requirements/exposure.ts';

const index = createSearchIndex();
index.update(
  SERVERS.flatMap(({ server, tools }) =>
    tools.map((tool) => ({ ...tool, key: `${server}__${tool.name}`, server })),
  ),
);
const counter = {
  count: (texts: readonly (string | Uint8Array)[]) =>
    Promise.resolve(texts.map((text) => countTokens(String(text)))),
};

async function answerTo(given: object, allowanceTokens: number, says?: string) {
  const asked = readSearch(given) as SearchArguments;
  const { queries, limit, server } = asked;
  const answer = index.query({ queries, limit, ...(server === undefined ? {} : { server }) });
  const input = { asked, answer, allowanceTokens, callName: 'call_tool', instructionsOf: () => says };
  return withCounts(counter, (count) => searchText(input, count));
}

describe('the answer of a search', () => {
  it(verifies('exposure:search:allowance'), async () => {
    for (const allowance of [150, 300, 600, 1_200])
      for (const { query } of TASKS)
        for (const more of [{}, { detail: 'full' }, { detail: 'names', limit: 50 }, { limit: 50 }]) {
          const { text, tokens } = await answerTo(
            { query, ...more },
            allowance,
            'Speak to it politely. '.repeat(99),
          );
          expect(countTokens(text)).toBe(tokens);
          expect(tokens).toBeLessThanOrEqual(allowance);
        }
    expect((await answerTo({ query: 'zzqqx' }, 40)).tokens).toBeLessThanOrEqual(40);
  });

  it(verifies('exposure:search:instructions'), async () => {
    const { text, structured } = await answerTo(
      { query: 'create an issue' },
      1_200,
      'Say who you are. '.repeat(99),
    );
    expect(text).toContain('Server tracker says: Say who you are.');
    expect(structured['notes']).toContain('Server tracker says');
    expect((await answerTo({ query: 'create an issue' }, 1_200)).text).not.toContain('says:');
  });

  it('counts a text as its bytes where nothing can be counted', async () => {
    const broken = { count: () => Promise.reject(new Error('no thread')) };
    expect(await withCounts(broken, (count) => count('äöü'))).toBe(6);
  });
});
