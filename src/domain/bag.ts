/** Where an item sits in a bag. */
export interface Seat<Item> {
  readonly item: Item;
  /** Its place; negative once it left. */
  at: number;
}

/**
 * An unordered collection for what comes and goes with every request; adding and removing take constant time.
 *
 * A `Set` that is added to and deleted from without pause makes a new table every few dozen entries, and each
 * table it leaves behind keeps what it held alive for the collector's young generation: most of a request's
 * garbage then has to be collected with the old one. Here each item has a seat, and the last one moves to the
 * seat of one that leaves.
 */
export interface Bag<Item> {
  readonly size: number;
  add(item: Item): Seat<Item>;
  /** Does nothing for a seat that was left already. */
  leave(seat: Seat<Item>): void;
  /** A copy, so that items may come and go while it is walked. */
  items(): Item[];
}

const LEFT = -1;

export function createBag<Item>(): Bag<Item> {
  const seats: Seat<Item>[] = [];
  return {
    get size() {
      return seats.length;
    },
    add: (item) => {
      const seat = { item, at: seats.length };
      seats.push(seat);
      return seat;
    },
    leave: (seat) => {
      if (seats[seat.at] !== seat) return;
      const last = seats.pop();
      if (last !== undefined && last !== seat) {
        seats[seat.at] = last;
        last.at = seat.at;
      }
      seat.at = LEFT;
    },
    items: () => seats.map((seat) => seat.item),
  };
}
