import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { scripted, simulatorOf } from '../../../test/support/small-learning.ts';
import { SITUATIONS } from '../../../test/support/strategy-situation.ts';
import { numberAt } from '../../strategies/draw-simulator.ts';
import { varySimulator } from './vary-simulator.ts';

const { world } = SITUATIONS.tag;
const { parameters } = world;
const RANGES = {
  'partners.3.speed': [0.9, 1],
  'partners.3.lateness': [0, 20],
  'partners.3.name': [1, 9],
  'rules.prey_max_speed': [0.8, 1.8],
  'partners.3.weights.x': [-1, 1],
} as const;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const simulator = simulatorOf(world, scripted(3, 'flee_nearest', { speed: 0.75, lateness: 10 }));
const varied = SEEDS.map((seed) =>
  varySimulator(simulator, { ranges: RANGES, parameters }, new RandomStream(keyFrom(seed))),
);
const valuesAt = (path: string) => varied.map((each) => numberAt(each, path)!);

describe('a simulator that is varied', () => {
  it('has its ranged numbers moved by at most a tenth of the width of their range', () => {
    const speeds = valuesAt('rules.prey_max_speed');
    const before = numberAt(simulator, 'rules.prey_max_speed')!;
    expect(new Set(speeds).size).toBe(SEEDS.length);
    for (const speed of speeds) {
      expect(Math.abs(speed - before)).toBeLessThanOrEqual(0.1);
    }
  });

  it('keeps a number that was written outside of its range between it and the range', () => {
    for (const speed of valuesAt('partners.3.speed')) {
      expect(speed).toBeGreaterThanOrEqual(0.75);
      expect(speed).toBeLessThanOrEqual(0.76);
    }
  });

  it('keeps whole numbers whole, and moves them both ways', () => {
    const delays = valuesAt('partners.3.lateness');
    expect([...new Set(delays)].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12]);
  });

  it('keeps choices and what it does not have, and is valid', () => {
    for (const each of varied.slice(0, 10)) {
      expect(each.partners['3']).toMatchObject({ name: 'flee_nearest' });
      expect(world.simulatorSchema.parse(each)).toEqual(each);
    }
  });
});
