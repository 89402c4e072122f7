import { createTokenCounter, type TokenCounter } from '../accounting/index.ts';
import type { GatewayConfig } from '../config/index.ts';
import { systemClock } from '../domain/index.ts';
import { type BudgetProblem, tooSmallBudgets } from '../exposure/index.ts';
import type { Logger } from '../telemetry/index.ts';
import { CommandError, EXIT } from './exit.ts';

/** @throws CommandError exit 2, for every budget that not even the meta-tools fit */
export async function checkBudgets(config: GatewayConfig, logger: Logger): Promise<void> {
  let counter: TokenCounter | undefined;
  const { tokenizer } = config.accounting;
  try {
    const problems = await tooSmallBudgets(
      config,
      () => (counter ??= createTokenCounter({ tokenizer, logger, clock: systemClock })),
    );
    if (problems.length === 0) return;
    const texts = problems.map((problem) => `${config.path}: ${problemText(problem, tokenizer)}`);
    throw new CommandError(texts.join('\n'), EXIT.usage);
  } finally {
    await counter?.close();
  }
}

const problemText = ({ profile, budgetTokens, smallestTokens }: BudgetProblem, tokenizer: string): string =>
  `exposure.budget of profile "${profile}" is ${budgetTokens}, but the meta-tools alone take ${smallestTokens} tokens ` +
  `by ${tokenizer}: set it to ${smallestTokens} or more, or the mode to direct`;
