import type { CountedTexts, Ledger } from './accounting/index.ts';
import type { Outcome, OutcomeListener } from './downstream/index.ts';
import type { Host, RequestNotes } from './routing/index.ts';
import { createRequestLog, type Logger, type Metrics, type TokenMetrics } from './telemetry/index.ts';

export interface ObserverDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tokenMetrics: TokenMetrics;
  readonly ledger: Ledger | undefined;
  /** Milliseconds since the epoch. */
  readonly epochNow: () => number;
}

/** Leaves a line in the log, a count in the metrics and a row in the ledger for every request that ended. */
export function requestObserver({
  logger,
  metrics,
  tokenMetrics,
  ledger,
  epochNow,
}: ObserverDeps): OutcomeListener {
  const requestLog = createRequestLog(logger);
  const seriesOf = recentSeries(metrics);
  return (outcome) => {
    const { host, notes, method, durationMs, requestBytes, responseBytes } = outcome;
    const client = clientName(host);
    // Names of methods that do not exist are the hosts' own and have no end.
    const counted = outcome.error?.code === 'METHOD_UNKNOWN' ? 'unknown' : method;
    const series = seriesOf(notes.upstream ?? '', counted, outcome.status);
    metrics.record(series, durationMs, requestBytes, responseBytes);
    if (notes.definitionTokens !== undefined) tokenMetrics.list(host.principal.profile, notes);
    requestLog.record({
      principal: host.principal.id,
      client,
      era: host.era,
      method,
      name: notes.name,
      upstream: notes.upstream,
      outcome: outcome.status,
      code: outcome.error?.code,
      durationMs,
      requestBytes,
      responseBytes,
    });
    if (ledger !== undefined) recordRow(ledger, outcome, counted, client, epochNow());
    if (outcome.error?.code === 'INTERNAL')
      logger.error({ err: outcome.error, method }, 'a fault of the gateway itself');
  };
}

function recordRow(
  ledger: Ledger,
  outcome: Outcome,
  method: string,
  client: string | undefined,
  epochMs: number,
): void {
  const { host, notes, durationMs, requestBytes, responseBytes } = outcome;
  ledger.record(
    {
      timeMs: epochMs - durationMs,
      principal: host.principal.id,
      profile: host.principal.profile,
      client,
      era: host.era,
      method,
      tool: notes.tool,
      server: notes.upstream,
      definitionTokens: notes.definitionTokens,
      metaToolTokens: notes.metaToolTokens,
      visibleTokens: notes.visibleTokens,
      requestBytes,
      responseBytes,
      durationMs,
      isCached: notes.isCached,
      outcome: outcome.status,
    },
    textsOf(notes),
  );
}

function textsOf({ searchAnswer, result }: RequestNotes): CountedTexts | undefined {
  if (searchAnswer === undefined && result === undefined) return undefined;
  return { searchAnswer, result };
}

/** Remembers the series of the last combination: requests of a kind follow one another. */
function recentSeries(metrics: Metrics): Metrics['series'] {
  let recent = { upstream: '', method: '', outcome: '', series: -1 };
  return (upstream, method, outcome) => {
    const isSame = recent.upstream === upstream && recent.method === method && recent.outcome === outcome;
    if (!isSame || recent.series < 0) {
      recent = { upstream, method, outcome, series: metrics.series(upstream, method, outcome) };
    }
    return recent.series;
  };
}

function clientName(host: Host): string | undefined {
  const { name, version } = host.clientInfo ?? {};
  if (typeof name !== 'string') return undefined;
  return typeof version === 'string' ? `${name}/${version}` : name;
}
