import { describe, expect, it } from 'vitest';
import { openSpread, simulatorOf } from '../../test/support/small-learning.ts';
import { failureDistances } from './failure-distances.ts';

const world = openSpread({ agents: 2 });
const RANGES = { 'rules.damping': [0, 0.5], 'rules.acceleration': [3, 7] } as const;

const dated = (round: number, rules: object) => ({ round, simulator: simulatorOf(world, { rules }) });
const made = (round: number, rules: object) => ({ ...dated(round, rules), isFromFailure: true });

describe('the distance of new simulators from failures', () => {
  it('is the mean difference over the ranges in their widths, to the nearest failing simulator', () => {
    const entered = [made(2, { damping: 0.25, acceleration: 5 })];
    const far = dated(2, { damping: 0.5, acceleration: 7 });
    const near = dated(2, { damping: 0.25, acceleration: 4 });
    expect(failureDistances({ entered, failing: [far] }, RANGES)).toEqual([(0.5 + 0.5) / 2]);
    expect(failureDistances({ entered, failing: [far, near] }, RANGES)).toEqual([(0 + 0.25) / 2]);
    expect(failureDistances({ entered, failing: entered }, RANGES)).toEqual([0]);
  });

  it('knows no failure of later on, and nothing where nothing failed or no range is in both', () => {
    const entered = [made(2, { damping: 0.25 }), made(4, { damping: 0.25 })];
    const failing = [dated(4, { damping: 0.5 })];
    expect(failureDistances({ entered, failing }, { 'rules.damping': [0, 0.5] })).toEqual([0.5]);
    expect(failureDistances({ entered, failing: [] }, RANGES)).toEqual([]);
    expect(failureDistances({ entered, failing }, { 'partners.1.epsilon': [0, 1] })).toEqual([]);
    expect(failureDistances({ entered, failing }, { 'rules.damping': [0.5, 0.5] })).toEqual([]);
  });
});
