import { describe, expect, it } from 'vitest';
import {
  REPORT_COLUMNS,
  type Report,
  reportJson,
  type ReportRow,
  reportTable,
} from '../../../src/accounting/index.ts';

const row: ReportRow = {
  group: 'site',
  requests: 12_345,
  errors: 2,
  definitionTokens: 1_500,
  tokensAvoided: 24_000,
  metaToolTokens: 600,
  searchAnswerTokens: 900,
  netSavings: 22_500,
  searchAnswersUncounted: 0,
  resultTokens: 0,
  resultsCounted: 0,
  requestBytes: 999,
  responseBytes: 1_234_567,
  cacheHits: 3,
  p50Ms: 1.26,
  p95Ms: 1_234.4,
};

const report: Report = {
  tokenizers: ['o200k_base'],
  by: 'server',
  since: null,
  first: '2026-11-29T00:00:00.000Z',
  last: '2026-11-30T12:00:00.000Z',
  unrecorded: 0,
  rows: [row, { ...row, group: null, requests: 1, netSavings: -1_200, responseBytes: 12_000 }],
  groupsLeftOut: 0,
};

describe('the table of a report', () => {
  it('aligns figures, writes their units, and explains the one that is computed', () => {
    expect(reportTable(report).split('\n')).toEqual([
      'Requests from 2026-11-29T00:00:00.000Z to 2026-11-30T12:00:00.000Z. Tokens are counted with o200k_base.',
      '',
      'server  requests  errors  definitions  avoided  meta-tools  searches  net saved  bytes in  bytes out     p50       p95',
      'site      12,345       2        1,500   24,000         600       900     22,500     999 B     1.2 MB  1.3 ms  1,234 ms',
      '(none)         1       2        1,500   24,000         600       900     -1,200     999 B    12.0 kB  1.3 ms  1,234 ms',
      '',
      'Net saved = avoided − meta-tools − searches; below zero, the gateway cost more than it saved.',
      '',
    ]);
  });

  it('says what its figures leave out', () => {
    const counted = { ...row, resultTokens: 70, resultsCounted: 7, searchAnswersUncounted: 1 };
    const text = reportTable({ ...report, rows: [counted], unrecorded: 4_000 });
    expect(text).toContain('Results: 70 tokens in 7 counted answers.');
    expect(text).toContain('1 search answers could not be counted and are missing above.');
    expect(text).toContain('4,000 requests could not be recorded.');
  });

  it('lets no name break a line, move the cursor or fill the screen', () => {
    const text = reportTable({ ...report, rows: [{ ...row, group: `\u001b[2J\n\u202e${'x'.repeat(200)}` }] });
    expect(text.split('\n')).toHaveLength(7);
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u202e');
    expect(text).toContain(`?[2J??${'x'.repeat(41)}…`);
  });
});

describe('the JSON of a report', () => {
  it('holds every column of every row, and exact numbers', () => {
    const parsed = JSON.parse(reportJson(report)) as Report;
    expect(parsed).toEqual(report);
    expect(parsed.rows.map((each) => Object.keys(each))).toEqual([[...REPORT_COLUMNS], [...REPORT_COLUMNS]]);
  });
});
