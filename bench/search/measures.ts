import type { Question } from './questions.ts';

export const CUTS = [1, 5, 10, 20] as const;

/** How well ranked keys answered the questions: fractions from 0 to 1. */
export interface Quality {
  readonly n: number;
  readonly recall: Readonly<Record<(typeof CUTS)[number], number>>;
  /** Standard error of recall at 5. */
  readonly se5: number;
  readonly hit5: number;
  readonly ndcg10: number;
  readonly mrr: number;
}

interface Row {
  readonly recall: readonly number[];
  readonly hit5: number;
  readonly ndcg10: number;
  readonly reciprocal: number;
}

/** Where each gold tool, or one that counts the same, stands first in the ranking; Infinity when nowhere. */
function ranksOf(question: Question, ranked: readonly string[]): number[] {
  return question.gold.map((group) => {
    const at = ranked.findIndex((key) => group.has(key));
    return at < 0 ? Infinity : at + 1;
  });
}

function rowOf(question: Question, ranked: readonly string[]): Row {
  const ranks = ranksOf(question, ranked);
  const within = (cut: number): number => ranks.filter((rank) => rank <= cut).length;
  const first = Math.min(...ranks);
  // Two gold tools that count the same can share one place; each place gains once.
  const places = [...new Set(ranks.filter((rank) => rank <= 10))];
  const gain = sum(places.map((rank) => 1 / Math.log2(rank + 1)));
  const ideal = sum(Array.from({ length: Math.min(10, ranks.length) }, (_, at) => 1 / Math.log2(at + 2)));
  return {
    recall: CUTS.map((cut) => within(cut) / ranks.length),
    hit5: first <= 5 ? 1 : 0,
    ndcg10: gain / ideal,
    reciprocal: 1 / first,
  };
}

/** Scores rankings, one for each question. */
export function qualityOf(questions: readonly Question[], rankings: readonly (readonly string[])[]): Quality {
  const rows = questions.map((question, at) => rowOf(question, rankings[at] ?? []));
  const at5 = rows.map((row) => row.recall[1] ?? 0);
  const [r1 = 0, r5 = 0, r10 = 0, r20 = 0] = CUTS.map((_, at) =>
    mean(rows.map((row) => row.recall[at] ?? 0)),
  );
  return {
    n: rows.length,
    recall: { 1: r1, 5: r5, 10: r10, 20: r20 },
    se5: standardError(at5),
    hit5: mean(rows.map((row) => row.hit5)),
    ndcg10: mean(rows.map((row) => row.ndcg10)),
    mrr: mean(rows.map((row) => row.reciprocal)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

function standardError(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  const variance = sum(values.map((value) => (value - middle) ** 2)) / (values.length - 1);
  return Math.sqrt(variance / values.length);
}

/** The value below which the given share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}
