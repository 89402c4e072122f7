import { listCeiling } from '../accounting/index.ts';
import { alternativesOf } from './choose.ts';
import { costOf, type Form } from './prices.ts';
import type { ToolView } from './tool-view.ts';

/** Why a list is as it is, in figures; what could not be counted is left out. */
export interface Explanation {
  readonly mode: string;
  readonly reason: string;
  readonly budget?: number;
  readonly tokens?: number;
  readonly metaToolTokens?: number;
  readonly visibleTokens?: number;
  readonly visible: number;
  /** Tools in the list, without the meta-tools. */
  readonly listed: number;
  readonly metaTools: number;
  /** What a list would take at most in each form; search with its index and the pinned tools. */
  readonly alternatives: { readonly direct?: number; readonly compact?: number; readonly search?: number };
  readonly shadowed: readonly string[];
  readonly tools: readonly ExplainedTool[];
}

export interface ExplainedTool {
  readonly name: string;
  readonly server: string;
  readonly tokens?: number;
  readonly compactTokens?: number;
  /** Undefined for a tool that is found by search alone. */
  readonly exposedAs?: 'full' | 'compact';
}

/** @param search what the same tools are listed as in search mode */
export function explained(view: ToolView, search: ToolView): Explanation {
  const { choice, exposure, tokens: byEra, prices, listed, metaTools, visible, shadowed } = view;
  const tokens = byEra?.modern;
  const { direct, compact } = alternativesOf(prices);
  const forms = new Set<Form>(listed);
  return {
    mode: choice.shownAs,
    reason: choice.reason,
    ...(exposure.mode === 'direct' ? {} : { budget: exposure.budgetTokens }),
    ...(tokens === undefined
      ? {}
      : { tokens: tokens.definitions, metaToolTokens: tokens.metaTools, visibleTokens: tokens.visible }),
    visible: visible.length,
    listed: listed.length - metaTools,
    metaTools,
    alternatives: {
      ...(Number.isFinite(direct) ? { direct } : {}),
      ...(Number.isFinite(compact) ? { compact } : {}),
      ...(search.tokens === undefined ? {} : { search: listCeiling(search.listed.map(costOf)) }),
    },
    shadowed,
    tools: prices.map(({ entry, full, compact: short }) => ({
      name: entry.exposed,
      server: entry.server,
      ...(full.modern.tokens === undefined ? {} : { tokens: full.modern.tokens }),
      ...(short.modern.tokens === undefined ? {} : { compactTokens: short.modern.tokens }),
      ...(forms.has(full)
        ? { exposedAs: 'full' as const }
        : forms.has(short)
          ? { exposedAs: 'compact' as const }
          : {}),
    })),
  };
}
