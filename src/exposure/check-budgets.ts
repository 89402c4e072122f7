import type { TokenCounter } from '../accounting/index.ts';
import type { GatewayConfig } from '../config/index.ts';
import { metaDefinitions } from './meta-tools.ts';
import { smallestBudget } from './tool-view.ts';

/** A budget that not even the meta-tools fit. */
export interface BudgetProblem {
  readonly profile: string;
  readonly budgetTokens: number;
  readonly smallestTokens: number;
}

/**
 * The budgets of the configuration that are too small. This needs the tokenizer, which takes a while to load, but
 * only for budgets that are near: a text never has more tokens than bytes.
 *
 * @throws TokenCountError
 */
export async function tooSmallBudgets(
  { profiles }: Pick<GatewayConfig, 'profiles'>,
  counter: () => Pick<TokenCounter, 'costsOf'>,
): Promise<readonly BudgetProblem[]> {
  const problems: BudgetProblem[] = [];
  for (const { name: profile, exposure } of profiles) {
    const { mode, budgetTokens, metaTools } = exposure;
    const { search, call } = metaDefinitions(metaTools, '');
    if (mode === 'direct' || Buffer.byteLength(search + call) <= budgetTokens) continue;
    const smallestTokens = await smallestBudget(counter(), metaTools);
    if (smallestTokens > budgetTokens) problems.push({ profile, budgetTokens, smallestTokens });
  }
  return problems;
}
