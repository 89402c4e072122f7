/** A server may have this many places before others are preferred, and half of the list after that. */
const FREE_PLACES = 5;

/** Others are preferred only while they are this near: a better answer is not pushed out by a poor one. */
const NEAR = 0.9;

/** What spreading looks at. */
export interface Spreadable {
  readonly server: string;
  readonly score: number;
}

/**
 * Orders ranked items so that no server crowds out the others: one that holds more than its share of the list
 * so far waits until the next item of another server that scores nearly as much has its place.
 */
export function spread<T extends Spreadable>(ranked: readonly T[], limit: number): T[] {
  const waiting = [...ranked];
  const placed: T[] = [];
  const places = new Map<string, number>();
  while (placed.length < limit && waiting.length > 0) {
    const [next] = waiting.splice(nextOf(waiting, places, placed.length), 1);
    if (next === undefined) break;
    placed.push(next);
    places.set(next.server, (places.get(next.server) ?? 0) + 1);
  }
  return placed;
}

function nextOf(waiting: readonly Spreadable[], places: ReadonlyMap<string, number>, placed: number): number {
  const share = Math.max(FREE_PLACES, Math.ceil((placed + 1) / 2));
  const isCrowding = ({ server }: Spreadable): boolean => (places.get(server) ?? 0) >= share;
  const [first] = waiting;
  if (first === undefined || !isCrowding(first)) return 0;
  const other = waiting.findIndex((one) => !isCrowding(one));
  return other > 0 && (waiting[other]?.score ?? 0) >= NEAR * first.score ? other : 0;
}
