import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../../simulators/contract.ts';
import { parameterFeatures } from './parameter-features.ts';

const parameter = (path: string, kind: Parameter['kind'] = 'real'): Parameter => ({
  ...{ path, kind, low: 0, high: 100, unit: '', summary: path },
});
const parameters = [parameter('a'), parameter('b'), parameter('start'), parameter('policy', 'choice'), parameter('c')];
const randomization = { a: [0, 10], b: [-1, 1] } as const;

const exampleOf = (...values: readonly number[]) => Float64Array.from(values);
const examples = [exampleOf(1, -1, 20, 4, 7), exampleOf(9, 1, 40, 2, 7), exampleOf(5, 0, 30, 2, 7)];

function featuresOf(vector: readonly number[], given = { parameters, randomization, examples }): number[] {
  const features = parameterFeatures(given);
  const out = new Float64Array(features.size + 2).fill(-7);
  features.write(exampleOf(...vector), out, 1);
  // Nothing is written beside its place.
  expect([out[0], out.at(-1)]).toEqual([-7, -7]);
  return [...out.slice(1, -1)];
}

describe('the features of a simulator', () => {
  it('are powers and products of ranged parameters, scaled others, and a 0/1 for each choice made', () => {
    // a = 7.5 of [0, 10] is 0.5, b = −0.5 of [−1, 1] itself, start = 25 among [20, 40] is −0.5, choices 2 and 4.
    const [a, b] = [0.5, -0.5];
    expect(featuresOf([7.5, b, 25, 4, 7])).toEqual([a, a * a, b, b * a, b * b, -0.5, 0, 1]);
    expect(featuresOf([7.5, b, 25, 2, 7]).slice(-2)).toEqual([1, 0]);
  });

  it('of a choice that no example made are 0 at each choice', () => {
    expect(featuresOf([5, 0, 30, 3, 7]).slice(-2)).toEqual([0, 0]);
  });

  it('are clipped where a parameter is outside of its range, or of what the examples had', () => {
    expect(featuresOf([100, -50, 0, 2, 7])).toEqual(featuresOf([10, -1, 20, 2, 7]));
    expect(featuresOf([-3, 50, 99, 2, 7])).toEqual(featuresOf([0, 1, 40, 2, 7]));
    expect(featuresOf([-3, 50, 99, 2, 7]).every((value) => Math.abs(value) <= 1)).toBe(true);
  });

  it('leave out what is equal in all examples, ranged or not', () => {
    expect(featuresOf([7.5, 0, 25, 4, 7])).toEqual(featuresOf([7.5, 0, 25, 4, 90]));
    const still = examples.map((example) => example.map((value, column) => (column === 1 ? 0.3 : value)));
    expect(featuresOf([7.5, 0.9, 25, 4, 7], { parameters, randomization, examples: still })).toEqual([
      ...[0.5, 0.25, -0.5],
      ...[0, 1],
    ]);
  });

  it('are none where all examples are alike', () => {
    expect(parameterFeatures({ parameters, randomization, examples: [examples[0]!, examples[0]!] }).size).toBe(0);
  });

  it('treat a choice as a choice also where it has a range, because its numbers have no order', () => {
    const ranged = { ...randomization, policy: [2, 4] as const };
    expect(featuresOf([7.5, 0, 25, 4, 7], { parameters, randomization: ranged, examples })).toEqual(
      featuresOf([7.5, 0, 25, 4, 7]),
    );
  });
});
