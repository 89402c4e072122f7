import { BUCKET_MS, BUCKETS_PER_SERIES, type SeriesData, type SeriesLabels } from './series-data.ts';

/** The text of a label's value. */
export const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function labelText({ upstream, method, outcome }: SeriesLabels, bound?: string): string {
  const names = `upstream="${escaped(upstream)}",method="${escaped(method)}",outcome="${escaped(outcome)}"`;
  return bound === undefined ? `{${names}}` : `{${names},le="${bound}"}`;
}

interface Family {
  readonly name: string;
  readonly type: 'counter' | 'histogram';
  readonly help: string;
  readonly lines: (labels: SeriesLabels, series: number) => readonly string[];
}

const inSeconds = (durationMs: number): string => String(durationMs / 1000);

/** The text format of Prometheus, version 0.0.4. Bounds are cumulative, durations in seconds. */
export function exposition(data: SeriesData): string {
  const count = (series: number): number => {
    const first = series * BUCKETS_PER_SERIES;
    return data.buckets.subarray(first, first + BUCKETS_PER_SERIES).reduce((sum, value) => sum + value, 0);
  };
  const counter = (name: string, help: string, values: (series: number) => number): Family => ({
    name,
    type: 'counter',
    help,
    lines: (labels, series) => [`${name}${labelText(labels)} ${values(series)}`],
  });
  const families: readonly Family[] = [
    counter('tollgate_requests_total', 'Requests of hosts that were answered.', count),
    durations(data, count),
    counter(
      'tollgate_request_bytes_total',
      'Bytes of request bodies.',
      (series) => data.requestBytes[series] ?? 0,
    ),
    counter(
      'tollgate_response_bytes_total',
      'Bytes of answers.',
      (series) => data.responseBytes[series] ?? 0,
    ),
  ];
  const used = data.labels
    .map((labels, series) => ({ labels, series }))
    .filter(({ series }) => count(series) > 0);
  return families.map((family) => familyText(family, used)).join('');
}

function familyText(
  { name, help, type, lines }: Family,
  used: readonly { readonly labels: SeriesLabels; readonly series: number }[],
): string {
  const all = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  return [...all, ...used.flatMap(({ labels, series }) => lines(labels, series)), ''].join('\n');
}

function durations(data: SeriesData, count: (series: number) => number): Family {
  const name = 'tollgate_request_duration_seconds';
  return {
    name,
    type: 'histogram',
    help: 'Time from a request to the end of its answer.',
    lines(labels, series) {
      let below = 0;
      const buckets = BUCKET_MS.map((bound, bucket) => {
        below += data.buckets[series * BUCKETS_PER_SERIES + bucket] ?? 0;
        return `${name}_bucket${labelText(labels, inSeconds(bound))} ${below}`;
      });
      const total = count(series);
      return [
        ...buckets,
        `${name}_bucket${labelText(labels, '+Inf')} ${total}`,
        `${name}_sum${labelText(labels)} ${inSeconds(data.durationMs[series] ?? 0)}`,
        `${name}_count${labelText(labels)} ${total}`,
      ];
    },
  };
}
