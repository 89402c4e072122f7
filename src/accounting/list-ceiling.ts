// `[`, `]` and the commas between definitions melt into tokens that the definitions have anyway, apart from these.
const LIST_TOKENS = 2;

/**
 * What a list of definitions takes at most when it is counted as one JSON array, from the costs of its entries:
 * the figure to hold against a budget. The sum itself, which is what a list is said to cost, differs from the count
 * of the array by a token or two, and in long lists by about a tenth of a percent, downwards. An empty list takes
 * nothing, because no host writes one.
 */
export function listCeiling(costs: readonly number[]): number {
  if (costs.length === 0) return 0;
  return costs.reduce((sum, cost) => sum + cost, LIST_TOKENS);
}
