import type { ReportRow } from './reports.ts';

/** The columns of a report, in their order, by the names they have in JSON; others script against these. */
export const REPORT_COLUMNS: readonly (keyof ReportRow)[] = [
  'group',
  'requests',
  'errors',
  'definitionTokens',
  'tokensAvoided',
  'metaToolTokens',
  'searchAnswerTokens',
  'netSavings',
  'searchAnswersUncounted',
  'resultTokens',
  'resultsCounted',
  'requestBytes',
  'responseBytes',
  'cacheHits',
  'p50Ms',
  'p95Ms',
];
