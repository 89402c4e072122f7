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

/**
 * Rounds over all queries. A query's quickest run counts, and its runs lie apart in time: the rest is the
 * machine's other work.
 */
const TIMED_ROUNDS = 5;
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
  const times = quickest(places, TIMED_ROUNDS, (at) => ask(at, DEEPEST));
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

/** The quickest run of each piece of work, over rounds. */
function quickest(places: readonly number[], rounds: number, work: (at: number) => unknown): number[] {
  const best = places.map(() => Infinity);
  for (let round = 0; round < rounds; round++)
    for (const at of places)
      best[at] = Math.min(
        best[at] ?? Infinity,
        timed(() => work(at)),
      );
  return best;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
