import type { Entry } from './collection.ts';

/** A tool with its score for one query. */
export interface Ranked {
  readonly entry: Entry;
  readonly score: number;
  /** How the query led to it. */
  readonly by: 'name' | 'words' | 'spelling' | 'meaning';
}

/** Best first; equal scores keep the order of the catalogue. */
export function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score || one.entry.order - other.entry.order;
}
