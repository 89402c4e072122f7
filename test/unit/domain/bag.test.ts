import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBag, NOWHERE } from '../../../src/domain/index.ts';

interface Item {
  readonly name: number;
  seat: number;
}

describe('a bag', () => {
  it('holds what a set would hold after any run of additions and removals', () => {
    const names = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), names)), (steps) => {
        const items: Item[] = Array.from({ length: 13 }, (_, name) => ({ name, seat: NOWHERE }));
        const bag = createBag<'seat', Item>('seat');
        const model = new Set<Item>();
        for (const [isAddition, name] of steps) {
          const item = items[name];
          if (item === undefined) continue;
          if (isAddition) {
            bag.add(item);
            model.add(item);
          } else {
            bag.delete(item);
            model.delete(item);
          }
          expect(bag.size).toBe(model.size);
          expect(new Set(bag.items())).toEqual(model);
          for (const each of items) expect(bag.has(each)).toBe(model.has(each));
        }
      }),
    );
  });

  it('leaves an item of another bag alone', () => {
    const [one, other] = [createBag<'seat', Item>('seat'), createBag<'seat', Item>('seat')];
    const item = { name: 1, seat: NOWHERE };
    one.add(item);
    other.delete(item);
    expect(one.has(item)).toBe(true);
    expect(item.seat).toBe(0);
  });
});
