/** What one request is counted under. Values come from the configuration or from fixed lists, never from a caller. */
export interface SeriesLabels {
  readonly upstream: string;
  readonly method: string;
  readonly outcome: string;
}

/** Upper bounds of the duration buckets: from a relay on one machine to the longest call that is waited for. */
export const BUCKET_MS: readonly number[] = [
  1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 600_000,
];

/** The numbers of all series, `BUCKET_MS.length + 1` buckets each; the last one is for everything longer. */
export interface SeriesData {
  readonly labels: readonly SeriesLabels[];
  readonly buckets: Float64Array;
  readonly durationMs: Float64Array;
  readonly requestBytes: Float64Array;
  readonly responseBytes: Float64Array;
}

export const BUCKETS_PER_SERIES: number = BUCKET_MS.length + 1;
