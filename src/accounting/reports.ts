import type { Database, SqlRow, SqlValue } from '../state/index.ts';
import {
  durationsSql,
  figuresOf,
  groupCountSql,
  groupsSql,
  type ReportGroup,
  SPAN_SQL,
  TOKENIZERS_SQL,
} from './report-sql.ts';

/** The figures of one group. Tokens are counts by the report's tokenizer; nothing in them is estimated. */
export interface ReportRow {
  /** Null gathers the requests to which the question does not apply, such as lists in a report by server. */
  readonly group: string | null;
  readonly requests: number;
  /** Outcomes other than `ok` and `cancelled`. */
  readonly errors: number;
  /** Tokens of the tool definitions that were sent, those of meta-tools included. */
  readonly definitionTokens: number;
  /** What the full definitions of all visible tools would have cost, less the definitions of tools sent. */
  readonly tokensAvoided: number;
  readonly metaToolTokens: number;
  readonly searchAnswerTokens: number;
  /** Avoided, less meta-tools, less search answers. Negative where the gateway cost more than it saved. */
  readonly netSavings: number;
  /** Search answers that could not be counted, and so are missing from the three figures before. */
  readonly searchAnswersUncounted: number;
  readonly resultTokens: number;
  /** How many results `resultTokens` is about: the others were not counted. */
  readonly resultsCounted: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly cacheHits: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface Report {
  /** Usually one; more where the configuration changed, and then tokens of one are not those of another. */
  readonly tokenizers: readonly string[];
  readonly by: ReportGroup;
  /** Times are in ISO 8601, UTC; null where there is nothing. */
  readonly since: string | null;
  readonly first: string | null;
  readonly last: string | null;
  /** Requests that are in no row because they could not be written. */
  readonly unrecorded: number;
  readonly rows: readonly ReportRow[];
  /** Groups beyond the largest that a report shows. */
  readonly groupsLeftOut: number;
}

export interface ReportQuery {
  readonly by: ReportGroup;
  /** Milliseconds since the epoch; everything there is when absent. */
  readonly since?: number;
}

export interface Reports {
  /** @throws StateError */
  report(query: ReportQuery): Promise<Report>;
}

// Names of tools and clients come from outside, so there may be any number of them.
const MAX_GROUPS = 1_000;

/**
 * Reads the ledger. Over a full one a report takes seconds, and whatever else goes through the same `Database`
 * waits for it: where requests are being recorded, open the file a second time for reports.
 */
export function createReports(database: Database): Reports {
  return {
    report: async ({ by, since }) => {
      const from = since === undefined ? 0 : Math.round(since);
      const [groups, durations, [span], tokenizers, [groupCount]] = await Promise.all([
        database.all(groupsSql(by), [from, MAX_GROUPS]),
        database.all(durationsSql(by), [from]),
        database.all(SPAN_SQL, [from, from]),
        database.all(TOKENIZERS_SQL, [from]),
        database.all(groupCountSql(by), [from]),
      ]);
      const durationOf = new Map(durations.map(([key, ...percentiles]) => [key ?? null, percentiles]));
      const rows = groups.map((group) => reportRow(group, durationOf.get(group[0] ?? null) ?? []));
      const [first, last, unrecorded] = span ?? [];
      return {
        tokenizers: tokenizers.map(([name]) => String(name)),
        by,
        since: since === undefined ? null : new Date(from).toISOString(),
        first: isoTime(first),
        last: isoTime(last),
        unrecorded: Number(unrecorded ?? 0),
        rows: by === 'day' ? rows.toReversed() : rows,
        groupsLeftOut: Number(groupCount?.[0] ?? 0) - rows.length,
      };
    },
  };
}

const isoTime = (time: SqlValue | undefined): string | null =>
  typeof time === 'number' ? new Date(time).toISOString() : null;

function reportRow([group, ...values]: SqlRow, percentiles: SqlRow): ReportRow {
  const { visibleTokens, ...figures } = figuresOf(values);
  const { definitionTokens, metaToolTokens, searchAnswerTokens } = figures;
  const tokensAvoided = visibleTokens - (definitionTokens - metaToolTokens);
  const [p50Ms = 0, p95Ms = 0] = percentiles.map(Number);
  return {
    group: typeof group === 'string' ? group : null,
    ...figures,
    tokensAvoided,
    netSavings: tokensAvoided - metaToolTokens - searchAnswerTokens,
    p50Ms,
    p95Ms,
  };
}
