import { expect, it } from 'vitest';
import { runMeasures } from './run-measures.ts';

const episodes = (value: number) => [Array.from({ length: 8 }, (_, episode) => value + (episode % 3) / 100)];
const falling = [0, 10, 4].map((value, round) => ({ round, returns: episodes(value) }));
const curve = [0, 10, 4].map((value, index) => ({ envSteps: 100 * index, value }));

it('a run whose held-out returns rise and then fall is one that shows it, with the fall and the shape of the curve', () => {
  const measures = runMeasures(falling, curve, 0);
  expect(measures.riseThenFall).toBe(true);
  expect(measures.fall).toBeCloseTo(6, 9);
  expect(measures.auc).toBeCloseTo((5 + 7) / 2, 9);
  expect(measures.roughness).toBeCloseTo(16 / 10, 9);
});

it('nothing held out is nothing measured', () => {
  expect(runMeasures([], [], null)).toEqual({ riseThenFall: null, fall: null, auc: null, roughness: null });
});
