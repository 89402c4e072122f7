/**
 * An unordered collection for what comes and goes with every request; adding and removing take constant time.
 *
 * A `Set` that is added to and deleted from without pause makes a new table every few dozen entries, and each
 * table it leaves behind keeps what it held alive for the collector's young generation: most of a request's
 * garbage then has to be collected with the old one. Here an item remembers its place under `key`, and the last
 * item takes the place of one that leaves.
 */
export interface Bag<Key extends string, Item extends Record<Key, number>> {
  readonly size: number;
  add(item: Item): void;
  /** Does nothing for an item that is not in the bag. */
  delete(item: Item): void;
  has(item: Item): boolean;
  /** A copy, so that items may come and go while it is walked. */
  items(): readonly Item[];
}

/** The place of an item that is in no bag. */
export const NOWHERE = -1;

export function createBag<Key extends string, Item extends Record<Key, number>>(key: Key): Bag<Key, Item> {
  const held: Item[] = [];
  const put = (item: Item, place: number): void => {
    (item as Record<Key, number>)[key] = place as Item[Key];
  };
  const has = (item: Item): boolean => held[item[key]] === item;
  return {
    get size() {
      return held.length;
    },
    add: (item) => {
      if (!has(item)) put(item, held.push(item) - 1);
    },
    delete: (item) => {
      if (!has(item)) return;
      const place = item[key];
      const last = held.pop();
      if (last !== undefined && last !== item) {
        held[place] = last;
        put(last, place);
      }
      put(item, NOWHERE);
    },
    has,
    items: () => held.slice(),
  };
}
