import {
  isReportGroup,
  parseSince,
  REPORT_GROUPS,
  type Report,
  reportJson,
  type ReportQuery,
} from '../accounting/index.ts';

/** Gives a report; rejects when the ledger cannot be read. */
export type ReportSource = (query: ReportQuery) => Promise<Report>;

export interface PageAnswer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/**
 * The page `/report.json?since=&by=`. A report over a full ledger takes seconds, so those who ask the same while
 * one is being made share it.
 */
export function createReportPage(
  source: ReportSource,
  epochNow: () => number = Date.now,
): (url: string) => Promise<PageAnswer> {
  const making = new Map<string, Promise<PageAnswer>>();
  return (url) => {
    const read = readQuery(url, epochNow());
    if (typeof read === 'string') return Promise.resolve(answer(400, { error: read }));
    const { key, query } = read;
    const known = making.get(key);
    if (known !== undefined) return known;
    const made = source(query)
      .then(
        (report): PageAnswer => ({ status: 200, body: reportJson(report) }),
        () => answer(503, { error: 'The ledger cannot be read now; the log says why. Try again later.' }),
      )
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  };
}

const answer = (status: number, value: unknown): PageAnswer => ({ status, body: JSON.stringify(value) });

/** What the URL asks for, or what is wrong with it. */
function readQuery(
  url: string,
  nowMs: number,
): { readonly key: string; readonly query: ReportQuery } | string {
  const params = new URLSearchParams(url.split('?')[1] ?? '');
  for (const name of params.keys()) {
    if (name !== 'since' && name !== 'by')
      return `${JSON.stringify(name)} is not known here; use since and by.`;
    if (params.getAll(name).length > 1) return `${name} is given more than once.`;
  }
  const by = params.get('by') ?? 'total';
  if (!isReportGroup(by)) return `by must be one of ${REPORT_GROUPS.join(', ')}.`;
  const sinceText = params.get('since');
  if (sinceText === null) return { key: by, query: { by } };
  const since = parseSince(sinceText, nowMs);
  if (since === undefined)
    return 'since must be a time span such as 30m, 24h, 7d or 2w, or a date such as 2026-11-30.';
  return { key: `${by} ${sinceText}`, query: { by, since } };
}
