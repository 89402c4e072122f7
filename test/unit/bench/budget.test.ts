import { afterAll, describe, expect, it } from 'vitest';
import { snapshotOf, type ToolServer } from '../../../bench/budget/catalog-of.ts';
import { sweep } from '../../../bench/budget/sweep.ts';
import { createTokenCounter } from '../../../src/accounting/index.ts';
import type { ExposureConfig } from '../../../src/config/index.ts';
import { systemClock } from '../../../src/domain/index.ts';
import { SERVERS } from '../../fixtures/definitions/services.ts';
import { verifies } from '../../requirements/exposure.ts';
import { silentLogger } from '../catalog/silent-logger.ts';

const counter = createTokenCounter({ tokenizer: 'o200k_base', logger: silentLogger, clock: systemClock });
afterAll(() => counter.close());

const AUTO: Omit<ExposureConfig, 'budgetTokens'> = {
  mode: 'auto',
  pin: ['tracker__create_issue', 'mail__create_message', 'weather__get_forecast'],
  searchAnswerTokens: 1200,
  metaTools: { search: 'search_tools', call: 'call_tool' },
};
const BUDGETS = [
  300, 301, 350, 400, 512, 750, 1_000, 1_500, 2_500, 4_000, 8_000, 15_000, 20_000, 30_000, 50_000,
];
const run = (servers: readonly ToolServer[], budgets: readonly number[], exposure = AUTO) =>
  sweep(snapshotOf(servers), budgets, exposure, { counter, logger: silentLogger });

describe('the budget', () => {
  it(
    verifies('exposure:budget:holds'),
    async () => {
      const words = '数える 計算する 😀 naïve ÄÖÜ {"a":1} \n\t';
      const chinese = {
        server: 'cjk',
        tools: Array.from({ length: 40 }, (_item, at) => ({
          name: `t${at}`,
          description: words.repeat(at),
          inputSchema: {
            type: 'object',
            properties: { [`数${at}`]: { enum: Array.from({ length: at * 5 }, (_, n) => `v${n}`) } },
          },
        })),
      };
      for (const servers of [
        SERVERS,
        SERVERS.slice(0, 1),
        SERVERS.slice(0, 3),
        [chinese],
        [...SERVERS, chinese],
      ]) {
        const swept = await run(servers, BUDGETS);
        const isWrong = ({ budget, counted, told = NaN }: (typeof swept)[number]): boolean =>
          !(counted <= budget && Math.abs(told - counted) <= Math.max(2, counted / 1_000));
        expect(swept.filter(isWrong)).toEqual([]);
        // More of the budget never shows less.
        expect(swept.map(({ listed }) => listed)).toEqual(
          swept.map(({ listed }) => listed).toSorted((a, b) => a - b),
        );
      }
      const modes = new Set((await run(SERVERS.slice(0, 3), BUDGETS)).map(({ mode }) => mode));
      expect(modes).toEqual(new Set(['search', 'compact', 'direct']));
    },
    120_000,
  );

  it(verifies('exposure:budget:meta-tools-first'), async () => {
    const [small, large] = await run(SERVERS, [300, 1_500], { ...AUTO, mode: 'search' });
    // The pinned tools that fit are listed beside the two meta-tools, and no others.
    expect(small?.listed).toBeLessThan(5);
    expect(large?.listed).toBe(5);
    const three = await run([{ server: 's', tools: SERVERS[0]?.tools.slice(0, 3) ?? [] }], [4_000]);
    expect(three).toMatchObject([{ mode: 'direct', listed: 3 }]);
  });
});
