import { expect, test } from 'vitest';
import type { Batch, World } from '../../simulators/contract.ts';
import { openSpread } from '../../test/support/small-learning.ts';
import { FeatureHistograms, NOT_COUNTED } from './feature-histograms.ts';

/** Two seats with one feature of three bins over [0, 3] and one of two over [−1, 1]. */
const world: World = {
  ...openSpread({ agents: 2 }),
  features: [
    { name: 'place', low: 0, high: 3, bins: 3 },
    { name: 'mood', low: -1, high: 1, bins: 2 },
  ],
};

/** A batch of which nothing but the features is looked at. @param values shape [B N F] */
function batchWith(...values: number[]): Batch {
  const environmentCount = values.length / 4;
  return { environmentCount, observeFeatures: (out: Float64Array) => out.set(values) } as unknown as Batch;
}

test('every value is counted in its bin, those outside of the range in the first or last', () => {
  const histograms = new FeatureHistograms(world, 1, 1);
  histograms.add(batchWith(0.5, -1, 2.5, 0), Int32Array.of(0));
  histograms.add(batchWith(-7, 1, 99, -0.1), Int32Array.of(0));
  expect([...histograms.counts]).toEqual([2, 0, 0, 1, 1, 0, 0, 2, 1, 1]);
});

test('an environment counts to its own set, or to none', () => {
  const histograms = new FeatureHistograms(world, 2, 3);
  const values = [0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 2, 0];
  histograms.add(batchWith(...values), Int32Array.of(1, NOT_COUNTED, 0));
  expect(histograms.ofSeats(0, [0])).toEqual([
    [0, 0, 1],
    [0, 1],
  ]);
  expect(histograms.ofSeats(1, [0])).toEqual([
    [1, 0, 0],
    [0, 1],
  ]);
});

test('seats are added up, and no visit is lost', () => {
  const histograms = new FeatureHistograms(world, 1, 1);
  for (let step = 0; step < 5; step += 1) histograms.add(batchWith(step, 1, 3 - step, -1), Int32Array.of(0));
  const total = (seats: number[]) =>
    histograms.ofSeats(0, seats).map((bins) => bins.reduce((sum, count) => sum + count));
  expect(total([0])).toEqual([5, 5]);
  expect(total([0, 1])).toEqual([10, 10]);
  expect(total([])).toEqual([0, 0]);
});
