/** Rank of each token of a vocabulary, keyed by its bytes as a binary string: one character a byte. */
export type Ranks = ReadonlyMap<string, number>;

export interface Merger {
  /** How many tokens byte pair encoding makes of one piece, given as a binary string. */
  count(piece: string): number;
}

// A key holds a rank and a position, or two ranks, in one exact number: ranks stay below 2^20.
const POSITIONS = 2 ** 28;
const RANKS = 2 ** 20;

const REMEMBERED_PAIRS = 2 ** 17;

const NONE = -1;

/** The rank of what two neighbours make together, which are the bytes from `start` to `end`; else `NONE`. */
type JoinedRank = (left: number, right: number, piece: string, start: number, end: number) => number;

/**
 * Byte pair encoding as every implementation does it: the lowest-ranked pair is merged first, the leftmost of
 * equals. Here the candidates wait in a heap, so that a run of a hundred thousand letters without a space takes a
 * moment; looking for the lowest pair in a list would take hours.
 */
export function createMerger(ranks: Ranks): Merger {
  // What two tokens make together depends on them alone. A pair lives in one slot, where the next one replaces it.
  const keys = new Float64Array(REMEMBERED_PAIRS).fill(NONE);
  const values = new Int32Array(REMEMBERED_PAIRS);
  const joined: JoinedRank = (left, right, piece, start, end) => {
    const key = left * RANKS + right;
    const slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) & (REMEMBERED_PAIRS - 1);
    if (keys[slot] === key) return values[slot] ?? NONE;
    const rank = ranks.get(piece.slice(start, end)) ?? NONE;
    keys[slot] = key;
    values[slot] = rank;
    return rank;
  };
  return { count: (piece) => mergedCount(piece, ranks, joined) };
}

function mergedCount(piece: string, ranks: Ranks, joined: JoinedRank): number {
  const size = piece.length;
  // Part i begins at byte i, ends before next[i], and follows the part that begins at previous[i].
  const next = new Int32Array(size + 1);
  const previous = new Int32Array(size + 1);
  const tokens = new Int32Array(size + 1);
  const pairRanks = new Int32Array(size + 1).fill(NONE);
  const heap = createHeap();
  const offer = (start: number): void => {
    const middle = next[start] ?? size;
    const end = next[middle] ?? size;
    const rank = middle < size ? joined(tokens[start] ?? 0, tokens[middle] ?? 0, piece, start, end) : NONE;
    pairRanks[start] = rank;
    if (rank !== NONE) heap.push(rank * POSITIONS + start);
  };
  for (let index = 0; index <= size; index++) {
    next[index] = index + 1;
    previous[index] = index - 1;
    tokens[index] = ranks.get(piece.charAt(index)) ?? 0;
  }
  for (let index = 0; index < size; index++) offer(index);
  let count = size;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const rank = Math.floor(key / POSITIONS);
    const start = key - rank * POSITIONS;
    // An earlier merge changed this pair; its new form has a key of its own.
    if (pairRanks[start] !== rank) continue;
    const middle = next[start] ?? size;
    const end = next[middle] ?? size;
    next[start] = end;
    previous[end] = start;
    tokens[start] = rank;
    pairRanks[middle] = NONE;
    count -= 1;
    offer(start);
    if (start > 0) offer(previous[start] ?? 0);
  }
  return count;
}

interface Heap {
  push(key: number): void;
  /** Takes the smallest. */
  pop(): number | undefined;
}

function createHeap(): Heap {
  const keys: number[] = [];
  const at = (index: number): number => keys[index] ?? Number.POSITIVE_INFINITY;
  return {
    push(key) {
      let index = keys.push(key) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= key) break;
        keys[index] = at(parent);
        index = parent;
      }
      keys[index] = key;
    },
    pop() {
      const smallest = keys[0];
      const last = keys.pop();
      if (last === undefined || keys.length === 0) return smallest;
      let index = 0;
      for (;;) {
        const left = 2 * index + 1;
        const child = at(left + 1) < at(left) ? left + 1 : left;
        if (child >= keys.length || at(child) >= last) break;
        keys[index] = at(child);
        index = child;
      }
      keys[index] = last;
      return smallest;
    },
  };
}
