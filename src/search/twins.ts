import type { Entry } from './collection.ts';

/** Share of common words from which two descriptions say the same. */
const SAME_TEXT = 0.6;

/** Whether two tools are one tool offered twice: the same name and nearly the same text. */
export type TwinTest = (one: Entry, other: Entry) => boolean;

/** A test that remembers what it read of each tool, for the length of one query. */
export function createTwinTest(): TwinTest {
  const names = new Map<Entry, string>();
  const texts = new Map<Entry, ReadonlySet<string>>();
  const nameOf = (entry: Entry): string => remembered(names, entry, bareName);
  const wordsIn = (entry: Entry): ReadonlySet<string> => remembered(texts, entry, descriptionWords);
  return (one, other) => nameOf(one) === nameOf(other) && alike(wordsIn(one), wordsIn(other));
}

function remembered<T>(known: Map<Entry, T>, entry: Entry, read: (entry: Entry) => T): T {
  let value = known.get(entry);
  if (value === undefined) known.set(entry, (value = read(entry)));
  return value;
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
