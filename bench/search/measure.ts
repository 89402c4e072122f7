import { renderAnswer, type SearchDocument, type SearchIndex } from '../../src/search/index.ts';
import { CUTS, quantile, type Quality, qualityOf } from './measures.ts';
import type { Question } from './questions.ts';

/** Everything that one run of the benchmark tells. */
export interface Outcome extends Quality {
  readonly answerTokens: { readonly median: number; readonly p95: number };
  readonly buildMs: number;
  readonly queryMs: { readonly p50: number; readonly p99: number };
}

/** What an answer as `search_tools` gives it may hold. */
export interface AnswerShape {
  readonly limit: number;
  readonly allowanceTokens: number;
}

export interface MeasureDeps {
  readonly createIndex: () => SearchIndex;
  readonly countTokens: (text: string) => number;
}

/** Each query is timed this often and its quickest run counts: the rest is the machine's other work. */
const TIMED_RUNS = 3;
const BUILDS = 3;
const DEEPEST = CUTS[CUTS.length - 1] ?? 20;

/** Builds the index that serves, asks every question, and scores the answers. */
export function measure(
  documents: readonly SearchDocument[],
  questions: readonly Question[],
  shape: AnswerShape,
  { createIndex, countTokens }: MeasureDeps,
): Outcome {
  const builds: number[] = [];
  let index = createIndex();
  for (let build = 0; build < BUILDS; build++) {
    index = createIndex();
    builds.push(timed(() => index.update(documents)));
  }
  const ask = (query: string, limit: number) => index.query({ queries: [query], limit }).hits;
  const rankings = questions.map(({ query }) => ask(query, DEEPEST).map(({ document }) => document.key));
  const times = questions.map(({ query }) => {
    const runs = Array.from({ length: TIMED_RUNS }, () => timed(() => ask(query, DEEPEST)));
    return Math.min(...runs);
  });
  const tokens = questions.map(
    ({ query }) => renderAnswer(ask(query, shape.limit), shape.allowanceTokens, countTokens).tokens,
  );
  return {
    ...qualityOf(questions, rankings),
    answerTokens: { median: quantile(tokens, 0.5), p95: quantile(tokens, 0.95) },
    buildMs: quantile(builds, 0.5),
    queryMs: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
  };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
