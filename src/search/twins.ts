import type { Entry } from './collection.ts';

/** Share of common words from which two descriptions say the same. */
const SAME_TEXT = 0.6;

/** A ranked item that stands for its twins too. */
export interface WithTwins<T> {
  readonly item: T;
  readonly twins: T[];
}

/**
 * Folds tools that are one tool offered twice, by the same name with nearly the same text, into the first of
 * them.
 */
export function foldTwins<T extends { readonly entry: Entry }>(ranked: readonly T[]): WithTwins<T>[] {
  const folded: WithTwins<T>[] = [];
  const byName = new Map<
    string,
    { readonly of: WithTwins<T>; readonly words: () => ReadonlySet<string> }[]
  >();
  for (const item of ranked) {
    const name = bareName(item.entry);
    const namesakes = byName.get(name) ?? [];
    const words = once(() => descriptionWords(item.entry));
    const twin = namesakes.find((one) => alike(one.words(), words()));
    if (twin !== undefined) twin.of.twins.push(item);
    else {
      const of = { item, twins: [] };
      folded.push(of);
      byName.set(name, [...namesakes, { of, words }]);
    }
  }
  return folded;
}

function once<T>(read: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= read());
}

function bareName({ document }: Entry): string {
  return document.name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function descriptionWords({ document }: Entry): ReadonlySet<string> {
  return new Set(
    document.description
      .slice(0, 2_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );
}

function alike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  let common = 0;
  for (const word of one) if (other.has(word)) common++;
  const all = one.size + other.size - common;
  return all > 0 && common / all >= SAME_TEXT;
}
