/**
 * The first `count` of the accepted items by `isBefore`, in order, without sorting the others: a heap whose top
 * is the last of the kept. Items that would not be kept anyway are not asked about.
 */
export function bestOf<T>(
  items: Iterable<T>,
  count: number,
  isBefore: (one: T, other: T) => boolean,
  accepts: (item: T) => boolean,
): T[] {
  const kept: T[] = [];

  function sink(from: number): void {
    for (let at = from; ;) {
      let last = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < kept.length && isBefore(kept[last] as T, kept[child] as T)) last = child;
      if (last === at) return;
      [kept[at], kept[last]] = [kept[last] as T, kept[at] as T];
      at = last;
    }
  }

  for (const item of items) {
    if (kept.length === count && !isBefore(item, kept[0] as T)) continue;
    if (!accepts(item)) continue;
    if (kept.length < count) {
      kept.push(item);
      if (kept.length === count) for (let at = count >> 1; at >= 0; at--) sink(at);
    } else {
      kept[0] = item;
      sink(0);
    }
  }
  return kept.toSorted((one, other) => (isBefore(one, other) ? -1 : isBefore(other, one) ? 1 : 0));
}
