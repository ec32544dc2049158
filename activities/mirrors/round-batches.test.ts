import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../learning/results/run-scalars.ts';
import { roundBatches } from './round-batches.ts';

const scalarOf = (round: number, index: number): Scalar => ({
  tag: `tag${index}`,
  round,
  step: round,
  value: index,
  wallTimeS: 0,
});

const SIZE_MAX = 5;

describe('batches of rounds', () => {
  it('hold every number once and in order, at most so many at a time, and say of a round that it is whole with its last', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(12), { minLength: 1, maxLength: 20 }), (sizes) => {
        const scalars = sizes.flatMap((size, round) =>
          Array.from({ length: size }, (_, index) => scalarOf(round, index)),
        );
        const batches = roundBatches(scalars, sizes.length - 1, SIZE_MAX);
        expect(batches.flatMap((batch) => batch.scalars)).toEqual(scalars);
        expect(batches.every((batch) => batch.scalars.length <= SIZE_MAX)).toBe(true);
        expect(batches.at(-1)!.throughRound).toBe(sizes.length - 1);
        let told: readonly Scalar[] = [];
        for (const { scalars: part, throughRound } of batches) {
          told = [...told, ...part];
          if (throughRound !== null) expect(told).toEqual(scalars.filter(({ round }) => round <= throughRound));
        }
      }),
    );
  });

  it('tell of rounds without any number, too', () => {
    expect(roundBatches([], 7, SIZE_MAX)).toEqual([{ scalars: [], throughRound: 7 }]);
  });
});
