import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBag, type Seat } from '../../../src/domain/index.ts';

const inOrder = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

describe('a bag', () => {
  it('holds what was added and has not left, after any run of comings and goings', () => {
    const step = fc.oneof(fc.record({ add: fc.nat(9) }), fc.record({ leave: fc.nat(30) }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const bag = createBag<number>();
        const seats: Seat<number>[] = [];
        const seated = new Set<Seat<number>>();
        for (const next of steps) {
          if ('add' in next) {
            const seat = bag.add(next.add);
            seats.push(seat);
            seated.add(seat);
          } else {
            // Any seat at all, those that were left before included.
            const seat = seats[next.leave % Math.max(1, seats.length)];
            if (seat === undefined) continue;
            bag.leave(seat);
            seated.delete(seat);
          }
          expect(bag.size).toBe(seated.size);
          expect(inOrder(bag.items())).toEqual(inOrder([...seated].map(({ item }) => item)));
        }
      }),
    );
  });

  it('leaves the seats of another bag alone', () => {
    const [one, other] = [createBag<string>(), createBag<string>()];
    const seat = one.add('a');
    other.add('b');
    other.leave(seat);
    expect([...one.items(), ...other.items()]).toEqual(['a', 'b']);
  });
});
