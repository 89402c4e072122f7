// What tools cost in tokens, what every request cost, and reports on it.
// In: texts of definitions, one row a request, the state file. Out: counts by a named tokenizer, figures.
// Counting and writing happen in threads of their own; nothing here estimates.
export { type CostStore, type CostStoreOptions, createCostStore } from './cost-store.ts';
export { countedText } from './counted-text.ts';
export { createLedger, type Ledger, type LedgerDeps, type LedgerLimits } from './ledger.ts';
export type { LedgerRow } from './ledger-row.ts';
export { listCeiling } from './list-ceiling.ts';
export { type Accounts, type AccountsDeps, openAccounts, reportOnce } from './open-accounts.ts';
export { REPORT_COLUMNS } from './report-columns.ts';
export { isReportGroup, REPORT_GROUPS, type ReportGroup } from './report-sql.ts';
export { reportJson, reportTable } from './report-text.ts';
export { createReports, type Report, type ReportQuery, type ReportRow, type Reports } from './reports.ts';
export { parseSince } from './since.ts';
export type { CountedTexts } from './text-allowance.ts';
export { createTokenCounter, type TokenCounter, type TokenCounterDeps } from './token-counter.ts';
export type { CountedForm } from './token-worker.ts';
export { DEFAULT_TOKENIZER, TOKENIZER_NAMES, type TokenizerName } from './tokenizer-names.ts';
