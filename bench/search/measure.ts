import {
  type Likeness,
  renderAnswer,
  type SearchDocument,
  type SearchHit,
  type SearchIndex,
} from '../../src/search/index.ts';
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
  /** Likeness in meaning to each question, where an encoder was asked for. */
  readonly likeness?: readonly (Likeness | undefined)[];
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
  { createIndex, countTokens, likeness }: MeasureDeps,
): Outcome {
  const builds: number[] = [];
  let index = createIndex();
  for (let build = 0; build < BUILDS; build++) {
    index = createIndex();
    builds.push(timed(() => index.update(documents)));
  }
  const ask = (at: number, limit: number): readonly SearchHit[] =>
    index.query({ queries: [questions[at]?.query ?? ''], limit, likeness: [likeness?.[at]] }).hits;
  const places = [...questions.keys()];
  const rankings = places.map((at) => ask(at, DEEPEST).map(({ document }) => document.key));
  const times = places.map((at) => {
    const runs = Array.from({ length: TIMED_RUNS }, () => timed(() => ask(at, DEEPEST)));
    return Math.min(...runs);
  });
  const tokens = places.map(
    (at) => renderAnswer(ask(at, shape.limit), shape.allowanceTokens, countTokens).tokens,
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
