import { describe, expect, it } from 'vitest';
import { openSpread, scripted, simulatorOf } from '../../test/support/small-learning.ts';
import type { Batch } from '../../simulators/contract.ts';
import { keyFrom } from '../../simulators/random.ts';
import { EpisodeSource } from './episode-source.ts';

const world = openSpread({ agents: 2 });
const simulator = simulatorOf(world);
const parameters = world.compile(simulator);
const indexOf = (path: string) => world.parameters.findIndex((parameter) => parameter.path === path);

/** The parameters that an episode of each key is reset with. */
function resetsOf(source: EpisodeSource, keyCount: number): Float64Array[] {
  const seen: Float64Array[] = [];
  const batch = { reset: (_: number, given: Float64Array) => seen.push(given.slice()) } as unknown as Batch;
  for (let episode = 0; episode < keyCount; episode += 1) source.start(batch, 0, 0, keyFrom(episode));
  return seen;
}

describe('the choice of a simulator', () => {
  const weights = [0.5, 0.3, 0.2];
  const source = new EpisodeSource(
    world,
    weights.map((weight) => ({ simulator, weight, randomization: {} })),
  );

  it('follows the weights', () => {
    const episodes = 20_000;
    const counts = weights.map(() => 0);
    for (let episode = 0; episode < episodes; episode += 1) counts[source.choose(keyFrom(episode))]! += 1;
    const chiSquared = weights.reduce(
      (sum, weight, index) => sum + (counts[index]! - episodes * weight) ** 2 / (episodes * weight),
      0,
    );
    // Two degrees of freedom: exceeded once in 2000 by chance, and the keys are fixed.
    expect(chiSquared).toBeLessThan(15.2);
  });

  it('is a function of the episode’s key', () => {
    const chosen = Array.from({ length: 50 }, (_, episode) => source.choose(keyFrom(episode)));
    expect(chosen.map((_, episode) => source.choose(keyFrom(episode)))).toEqual(chosen);
    expect(new Set(chosen).size).toBe(weights.length);
  });
});

describe('the start of an episode', () => {
  const ranges = { 'perturbations.action_delay': [1, 3], 'rules.damping': [0.1, 0.5] } as const;
  const randomized = (given: Record<string, readonly [number, number]>) =>
    new EpisodeSource(world, [{ simulator, weight: 1, randomization: given }]);

  it('draws what has a range anew for every episode, and leaves everything else', () => {
    const resets = resetsOf(randomized(ranges), 300);
    for (const [path, [low, high]] of Object.entries(ranges)) {
      const drawn = resets.map((given) => given[indexOf(path)]!);
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(low);
      expect(Math.max(...drawn)).toBeLessThanOrEqual(high);
      expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(0.9 * (high - low));
    }
    expect(new Set(resets.map((given) => given[indexOf('perturbations.action_delay')]))).toEqual(new Set([1, 2, 3]));
    const drawnIndices = Object.keys(ranges).map(indexOf);
    for (const given of resets) {
      expect(given.filter((value, index) => value !== parameters[index] && !drawnIndices.includes(index))).toEqual(
        new Float64Array(0),
      );
    }
  });

  it('is a function of the episode’s key, and not of the order in which a document names the ranges', () => {
    const reversed = Object.fromEntries(Object.entries(ranges).reverse());
    expect(resetsOf(randomized(reversed), 5)).toEqual(resetsOf(randomized(ranges), 5));
  });

  it('leaves out a range that only another partner has, and shares the other draws with that partner’s simulator', () => {
    const both = { ...ranges, 'partners.1.epsilon': [0.2, 0.9] } as const;
    const partnered = simulatorOf(world, scripted(1, 'nearest_landmark'));
    const without = resetsOf(new EpisodeSource(world, [{ simulator, weight: 1, randomization: both }]), 20);
    const withPartner = resetsOf(
      new EpisodeSource(world, [{ simulator: partnered, weight: 1, randomization: both }]),
      20,
    );
    const epsilon = indexOf('partners.1.epsilon');
    expect(new Set(without.map((given) => given[epsilon]))).toEqual(new Set([parameters[epsilon]]));
    expect(new Set(withPartner.map((given) => given[epsilon])).size).toBe(20);
    const damping = indexOf('rules.damping');
    expect(withPartner.map((given) => given[damping])).toEqual(without.map((given) => given[damping]));
  });

  it('without ranges is the simulator itself', () => {
    expect(resetsOf(randomized({}), 2)).toEqual([parameters, parameters]);
  });

  it('tells what it draws for a key, by path in ascending order, and no number where another partner sits', () => {
    const both = { ...ranges, 'partners.1.epsilon': [0.2, 0.9] } as const;
    const paths = Object.keys(both).sort();
    const partnered = simulatorOf(world, scripted(1, 'nearest_landmark'));
    const source = new EpisodeSource(world, [{ simulator: partnered, weight: 1, randomization: both }]);
    const without = randomized(both);
    for (const [episode, given] of resetsOf(source, 20).entries()) {
      expect(source.drawn(0, keyFrom(episode))).toEqual(paths.map((path) => given[indexOf(path)]));
      expect(without.drawn(0, keyFrom(episode))).toEqual(
        paths.map((path) => (path === 'partners.1.epsilon' ? NaN : given[indexOf(path)])),
      );
    }
    expect(randomized({}).drawn(0, keyFrom(0))).toEqual([]);
  });
});
