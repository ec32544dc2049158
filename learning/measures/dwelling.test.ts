import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openSpread } from '../../test/support/small-learning.ts';
import type { Batch } from '../../simulators/contract.ts';
import { Dwelling } from './dwelling.ts';

const spread = openSpread({ agents: 2 });
/** Three and two bins of length 1, beside a feature that is no position. */
const world: typeof spread = {
  ...spread,
  features: [
    { name: 'height', low: 0, high: 2, bins: 2 },
    { name: 'load', low: 0, high: 1, bins: 5 },
    { name: 'width', low: -1, high: 2, bins: 3 },
  ],
  positionFeatures: ['width', 'height'],
};
const ENVIRONMENTS = 2;

/** Shape [B N F] of every step. */
const visits = fc.array(
  fc.array(
    fc.integer({ min: -12, max: 16 }).map((quarters) => quarters / 4),
    { minLength: 12, maxLength: 12 },
  ),
  { minLength: 1, maxLength: 9 }, // prettier-ignore
);

function measured(of: typeof spread, steps: readonly (readonly number[])[]): Dwelling {
  const dwelling = new Dwelling(of, ENVIRONMENTS);
  for (const values of steps) {
    const batch = { environmentCount: ENVIRONMENTS, observeFeatures: (out: Float64Array) => out.set(values) };
    // The first environment ends after four steps.
    const step = steps.indexOf(values);
    dwelling.add(batch as unknown as Batch, (environment) => environment === 1 || step < 4);
  }
  return dwelling;
}

it('is the share of steps in the cell where a seat is most', () => {
  const at = (width: number, height: number): number[] => [height, 9, width];
  const steps = [at(0.2, 0.3), at(0.9, 0.9), at(0.9, 1.1), at(-0.1, 0.3)];
  const dwelling = measured(world, steps.map((values) => [...values, ...values, ...values, ...values])); // prettier-ignore
  expect(dwelling.of(0, 0)).toBe(2 / 4);
});

it('agrees with a slow count of named cells, of the running episodes alone', () => {
  fc.assert(
    fc.property(visits, (steps) => {
      const dwelling = measured(world, steps);
      for (const [environment, seat] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ] as const) {
        // prettier-ignore
        const counts = new Map<string, number>();
        const lived = environment === 0 ? steps.slice(0, 4) : steps;
        for (const values of lived) {
          const [height, , width] = values.slice((environment * 2 + seat) * 3);
          const column = width! < 0 ? 0 : width! < 1 ? 1 : 2;
          const cell = `${column} ${height! < 1 ? 0 : 1}`;
          counts.set(cell, (counts.get(cell) ?? 0) + 1);
        }
        expect(dwelling.of(environment, seat)).toBeCloseTo(Math.max(...counts.values()) / lived.length, 12);
      }
    }),
  );
});

it('is not measured where the world does not tell where a seat is', () => {
  expect(measured({ ...world, positionFeatures: [] }, [Array<number>(12).fill(0)]).of(0, 0)).toBeNaN();
});
