import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestOf } from '../../../src/search/best-of.ts';

describe('the best of many', () => {
  it('are the first of the accepted in sorted order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (numbers, count) => {
        const isEven = (one: number): boolean => one % 2 === 0;
        const best = bestOf(numbers, count, (one, other) => one < other, isEven);
        expect(best).toEqual(
          numbers
            .filter(isEven)
            .toSorted((one, other) => one - other)
            .slice(0, count),
        );
      }),
    );
  });
});
