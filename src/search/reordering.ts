import type { Entry } from './collection.ts';
import type { Likeness } from './meanings.ts';
import { byScore, type Ranked } from './ranked.ts';

/** What the likest meaning is worth, as a share of the best score by words. */
const MEANING = 0.3;

/**
 * What the most proven tool gains, as a share of its score: enough to settle near ties, too little to keep a
 * better answer from the first place.
 */
const PROVEN = 0.1;

/**
 * Adds likeness of meaning to scores by words, both as shares of the best, so that margins count. Likeness is
 * taken above that of the least near tool that was told: encoders find everything somewhat alike.
 */
export function withMeaning(
  ranked: readonly Ranked[],
  alike: readonly Entry[],
  likeness: Likeness,
): Ranked[] {
  const best = Math.max(0, ...ranked.map(({ score }) => score)) || 1;
  const likest = Math.max(0, ...likeness.values());
  const least = likeness.size > 1 ? Math.min(...likeness.values()) : 0;
  if (likest === 0) return [...ranked];
  const found = new Set(ranked.map(({ entry }) => entry));
  const added = alike
    .filter((entry) => !found.has(entry))
    .map((entry) => ({ entry, score: 0, by: 'meaning' as const }));
  const share = (key: string): number =>
    Math.max(0, (likeness.get(key) ?? 0) - least) / (likest - least || 1);
  return [...ranked, ...added]
    .map((one) => ({ ...one, score: one.score + MEANING * best * share(one.entry.document.key) }))
    .toSorted(byScore);
}

/** Raises tools whose calls went well, by the logarithm of how often. */
export function withSuccesses(ranked: readonly Ranked[], successes: ReadonlyMap<string, number>): Ranked[] {
  const count = ({ entry }: Ranked): number =>
    Math.log1p(Math.max(0, successes.get(entry.document.key) ?? 0));
  const most = Math.max(0, ...ranked.map(count));
  if (most === 0) return [...ranked];
  return ranked
    .map((one) => ({ ...one, score: one.score * (1 + (PROVEN * count(one)) / most) }))
    .toSorted(byScore);
}
