import { exposition } from './exposition.ts';
import { BUCKET_MS, BUCKETS_PER_SERIES, type SeriesData, type SeriesLabels } from './series-data.ts';

/** Counts of requests, kept in flat arrays so that counting costs next to nothing. */
export interface Metrics {
  /** The index of a combination of labels, always the same; worth keeping where requests are many. */
  series(upstream: string, method: string, outcome: string): number;
  /** Counts one request of a series. */
  record(series: number, durationMs: number, requestBytes: number, responseBytes: number): void;
  /** All series in the text format that Prometheus reads, in the order they first appeared. */
  render(): string;
}

// A fault that counted under ever new names would otherwise grow without end.
const MAX_SERIES = 4096;

/** What is counted once there are too many series; the first in the arrays. */
const OVERFLOW: SeriesLabels = { upstream: 'other', method: 'other', outcome: 'other' };

function grown(array: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length);
  larger.set(array);
  return larger;
}

function withCapacity(data: SeriesData, capacity: number): SeriesData {
  return {
    labels: data.labels,
    buckets: grown(data.buckets, capacity * BUCKETS_PER_SERIES),
    durationMs: grown(data.durationMs, capacity),
    requestBytes: grown(data.requestBytes, capacity),
    responseBytes: grown(data.responseBytes, capacity),
  };
}

function bucketOf(durationMs: number): number {
  let bucket = 0;
  while (bucket < BUCKET_MS.length && durationMs > (BUCKET_MS[bucket] ?? 0)) bucket++;
  return bucket;
}

const add = (array: Float64Array, index: number, amount: number): void => {
  array[index] = (array[index] ?? 0) + amount;
};

export function createMetrics(): Metrics {
  const indexes = new Map<string, number>();
  const labels = [OVERFLOW];
  const none = new Float64Array(0);
  let capacity = 64;
  let data = withCapacity(
    { labels, buckets: none, durationMs: none, requestBytes: none, responseBytes: none },
    capacity,
  );
  return {
    series(upstream, method, outcome) {
      const key = JSON.stringify([upstream, method, outcome]);
      const known = indexes.get(key);
      if (known !== undefined) return known;
      if (labels.length >= MAX_SERIES) return 0;
      if (labels.length >= capacity) data = withCapacity(data, (capacity *= 2));
      const index = labels.push({ upstream, method, outcome }) - 1;
      indexes.set(key, index);
      return index;
    },
    record(series, durationMs, requestBytes, responseBytes) {
      add(data.buckets, series * BUCKETS_PER_SERIES + bucketOf(durationMs), 1);
      add(data.durationMs, series, durationMs);
      add(data.requestBytes, series, requestBytes);
      add(data.responseBytes, series, responseBytes);
    },
    render: () => exposition(data),
  };
}
