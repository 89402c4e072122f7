import { REPORT_COLUMNS } from './report-columns.ts';
import type { Report, ReportRow } from './reports.ts';

/** The report as one JSON document; columns are those of `REPORT_COLUMNS`, always all of them. */
export function reportJson(report: Report): string {
  const rows = report.rows.map((row) => Object.fromEntries(REPORT_COLUMNS.map((name) => [name, row[name]])));
  return JSON.stringify({ ...report, rows });
}

interface TableColumn {
  readonly heading: string;
  readonly cell: (row: ReportRow) => string;
}

const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');
const figure = (heading: string, name: Exclude<keyof ReportRow, 'group'>): TableColumn => ({
  heading,
  cell: (row) => grouped(row[name]),
});
const duration = (heading: string, name: 'p50Ms' | 'p95Ms'): TableColumn => ({
  heading,
  cell: (row) => `${row[name] < 10 ? row[name].toFixed(1) : grouped(row[name])} ms`,
});

const COLUMNS: readonly TableColumn[] = [
  figure('requests', 'requests'),
  figure('errors', 'errors'),
  figure('definitions', 'definitionTokens'),
  figure('avoided', 'tokensAvoided'),
  figure('meta-tools', 'metaToolTokens'),
  figure('searches', 'searchAnswerTokens'),
  figure('net saved', 'netSavings'),
  { heading: 'bytes in', cell: (row) => bytes(row.requestBytes) },
  { heading: 'bytes out', cell: (row) => bytes(row.responseBytes) },
  duration('p50', 'p50Ms'),
  duration('p95', 'p95Ms'),
];

/** The report for people: a table with its units, and a sentence for each thing that its figures leave out. */
export function reportTable(report: Report): string {
  if (report.rows.length === 0)
    return `No requests recorded${report.since === null ? '' : ` since ${report.since}`}.\n`;
  const header = [report.by === 'total' ? '' : report.by, ...COLUMNS.map(({ heading }) => heading)];
  const body = report.rows.map((row) => [
    shortName(row.group ?? '(none)'),
    ...COLUMNS.map(({ cell }) => cell(row)),
  ]);
  const widths = header.map((_heading, column) =>
    Math.max(...[header, ...body].map((cells) => [...(cells[column] ?? '')].length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => aligned(cell, widths[column] ?? 0, column === 0))
      .join('  ')
      .trimEnd();
  const lines = [heading(report), '', ...[header, ...body].map(line), '', ...notes(report)];
  return `${lines.join('\n')}\n`;
}

function heading(report: Report): string {
  const tokenizers = report.tokenizers.join(', ');
  return `Requests from ${report.first ?? '–'} to ${report.last ?? '–'}. Tokens are counted with ${tokenizers}.`;
}

function notes(report: Report): string[] {
  const sum = (name: Exclude<keyof ReportRow, 'group'>): number =>
    report.rows.reduce((total, row) => total + row[name], 0);
  const lines = [
    'Net saved = avoided − meta-tools − searches; below zero, the gateway cost more than it saved.',
  ];
  const results = sum('resultsCounted');
  if (results > 0)
    lines.push(`Results: ${grouped(sum('resultTokens'))} tokens in ${grouped(results)} counted answers.`);
  const searches = sum('searchAnswersUncounted');
  if (searches > 0)
    lines.push(`${grouped(searches)} search answers could not be counted and are missing above.`);
  if (report.tokenizers.length > 1) lines.push('Counts of different tokenizers are added up here.');
  if (report.groupsLeftOut > 0) lines.push(`${grouped(report.groupsLeftOut)} smaller groups are not shown.`);
  if (report.unrecorded > 0) lines.push(`${grouped(report.unrecorded)} requests could not be recorded.`);
  return lines;
}

const aligned = (cell: string, width: number, isLeft: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - [...cell].length));
  return isLeft ? cell + space : space + cell;
};

const MAX_NAME_LENGTH = 48;

/** Names come from outside; what would move the cursor or break the line is shown as a question mark. */
function shortName(name: string): string {
  const clean = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return clean.length > MAX_NAME_LENGTH ? `${clean.slice(0, MAX_NAME_LENGTH - 1)}…` : clean;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}
