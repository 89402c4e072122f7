import { listCeiling } from '../accounting/index.ts';
import type { ExposureConfig } from '../config/index.ts';
import { costOf, type Form, type PricedTool } from './prices.ts';

/** How the tools of a list are shown. */
export type ShownAs = 'direct' | 'compact' | 'search';

export interface Choice {
  readonly shownAs: ShownAs;
  /** One sentence for whoever asks why. */
  readonly reason: string;
}

/** What a set of tools would cost in one list, shown in each of the two forms. */
export interface Alternatives {
  readonly direct: number;
  readonly compact: number;
}

export const alternativesOf = (tools: readonly PricedTool[]): Alternatives => ({
  direct: listCeiling(tools.map(({ full }) => costOf(full))),
  compact: listCeiling(tools.map(({ compact }) => costOf(compact))),
});

/**
 * How a set of visible tools is shown: a function of the set, the budget and the configured mode alone. Meta-tools
 * are never chosen where the tools themselves fit, so they never cost more than they save.
 */
export function choose(
  tools: readonly PricedTool[],
  { mode, budgetTokens }: Pick<ExposureConfig, 'mode' | 'budgetTokens'>,
): Choice {
  if (mode === 'direct')
    return { shownAs: 'direct', reason: 'the configuration asks for every visible tool' };
  if (mode === 'search') return { shownAs: 'search', reason: 'the configuration asks for search' };
  const { direct, compact } = alternativesOf(tools);
  const budget = `the budget of ${budgetTokens}`;
  if (direct <= budgetTokens) return { shownAs: 'direct', reason: `the full definitions fit ${budget}` };
  if (compact <= budgetTokens)
    return {
      shownAs: 'compact',
      reason: `the full definitions take ${direct} tokens, the compact ones ${compact}, within ${budget}`,
    };
  if (!Number.isFinite(direct) || !Number.isFinite(compact))
    return { shownAs: 'search', reason: 'the tokens of some definitions could not be counted' };
  return {
    shownAs: 'search',
    reason: `the full definitions take ${direct} tokens, the compact ones ${compact}, more than ${budget}`,
  };
}

/** A pinned tool in the form in which it is listed. */
export interface Pinned {
  readonly tool: PricedTool;
  readonly form: Form;
}

/**
 * The pinned tools that fit beside what is listed already, in the order of the catalog: in full where all of them
 * fit so, else in their compact form, as many as there is room for.
 */
export function pinnedThatFit(
  pinned: readonly PricedTool[],
  listed: readonly number[],
  budgetTokens: number,
): readonly Pinned[] {
  const inFull = pinned.map((tool) => ({ tool, form: tool.full }));
  const costs = inFull.map(({ form }) => costOf(form));
  if (listCeiling([...listed, ...costs]) <= budgetTokens) return inFull;
  const taken = [...listed];
  return pinned.flatMap((tool) => {
    const cost = costOf(tool.compact);
    if (listCeiling([...taken, cost]) > budgetTokens) return [];
    taken.push(cost);
    return [{ tool, form: tool.compact }];
  });
}
