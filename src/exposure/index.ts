// Exposure: what a principal's host is sent — lists, instructions, capabilities.
// In: a snapshot and the policy. Out: finished text, the same on every request.
// The only room that decides what is listed; calls are decided by the same policy in routing.
export { mergedCapabilities } from './capabilities.ts';
export type { ExplainedTool, Explanation } from './explain.ts';
export { type InstructionsDeps, mergeInstructions } from './instructions.ts';
export { type BudgetProblem, tooSmallBudgets } from './check-budgets.ts';
export { createLists, type ListBody, type Lists, type ListsDeps } from './lists.ts';
export { createOfferings, type Offerings, type OfferingsDeps } from './offerings.ts';
export { createSearcher, type Searcher, type SearcherDeps } from './searcher.ts';
export { readSearch, type SearchArguments } from './search-arguments.ts';
export { createMetaTools, type Found, type MetaTools, type MetaToolsDeps } from './serve-meta-tools.ts';
export type { ListTokens, ToolView } from './tool-view.ts';
