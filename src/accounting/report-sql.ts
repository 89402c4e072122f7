import type { SqlRow } from '../state/index.ts';

/** What the rows of a report are about. */
export const REPORT_GROUPS = ['total', 'server', 'tool', 'client', 'principal', 'day'] as const;

export type ReportGroup = (typeof REPORT_GROUPS)[number];

export const isReportGroup = (text: string): text is ReportGroup =>
  (REPORT_GROUPS as readonly string[]).includes(text);

const KEYS: Readonly<Record<ReportGroup, string>> = {
  total: `'total'`,
  server: 'server',
  tool: 'tool',
  client: 'client',
  principal: 'principal',
  day: `strftime('%Y-%m-%d', time_ms / 1000, 'unixepoch')`,
};

/** The sums of a group, in the order in which `groupsSql` gives them after the group's key. */
const FIGURES = {
  requests: `count(*)`,
  errors: `count(*) FILTER (WHERE outcome NOT IN ('ok', 'cancelled'))`,
  definitionTokens: `sum(definition_tokens)`,
  visibleTokens: `sum(visible_tokens)`,
  metaToolTokens: `sum(meta_tool_tokens)`,
  searchAnswerTokens: `coalesce(sum(search_answer_tokens), 0)`,
  searchAnswersUncounted: `count(*) FILTER (WHERE search_answer_tokens IS NULL)`,
  resultTokens: `coalesce(sum(result_tokens), 0)`,
  resultsCounted: `count(result_tokens)`,
  requestBytes: `sum(request_bytes)`,
  responseBytes: `sum(response_bytes)`,
  cacheHits: `sum(is_cached)`,
} as const;

export type Figures = Readonly<Record<keyof typeof FIGURES, number>>;

/** The values of a row by their names. */
export function figuresOf(values: SqlRow): Figures {
  const names = Object.keys(FIGURES);
  return Object.fromEntries(names.map((name, index) => [name, Number(values[index])])) as Figures;
}

/** Takes: from when, how many groups at most. The busiest groups first; of days, the latest. */
export const groupsSql = (by: ReportGroup): string => `
  WITH selected AS (SELECT *, ${KEYS[by]} AS key FROM requests WHERE time_ms >= ?)
  SELECT key, ${Object.values(FIGURES).join(', ')}
  FROM selected GROUP BY key
  ORDER BY ${by === 'day' ? 'key DESC' : 'count(*) DESC, key'}
  LIMIT ?`;

/** Takes: from when. The smallest duration that at least so many percent of a group's requests did not exceed. */
export const durationsSql = (by: ReportGroup): string => `
  WITH ranked AS (
    SELECT
      ${KEYS[by]} AS key,
      duration_ms,
      row_number() OVER (PARTITION BY ${KEYS[by]} ORDER BY duration_ms) AS place,
      count(*) OVER (PARTITION BY ${KEYS[by]}) AS places
    FROM requests WHERE time_ms >= ?
  )
  SELECT
    key,
    max(duration_ms) FILTER (WHERE place = (places * 50 + 99) / 100),
    max(duration_ms) FILTER (WHERE place = (places * 95 + 99) / 100)
  FROM ranked GROUP BY key`;

/** Takes: from when, from when. */
export const SPAN_SQL = `
  SELECT
    min(time_ms),
    max(time_ms),
    (SELECT coalesce(sum(requests), 0) FROM unrecorded_requests WHERE time_ms >= ?)
  FROM requests WHERE time_ms >= ?`;

/** Takes: from when. */
export const TOKENIZERS_SQL = `SELECT DISTINCT tokenizer FROM requests WHERE time_ms >= ? ORDER BY tokenizer`;

/** Takes: from when. */
export const groupCountSql = (by: ReportGroup): string =>
  `SELECT count(*) FROM (SELECT DISTINCT ${KEYS[by]} FROM requests WHERE time_ms >= ?)`;
