import { describe, expect, it } from 'vitest';
import {
  DISTANCE_METRICS,
  distancesBetween,
  type DistanceMetric,
  stateVisitation,
  visitationReaches,
} from '../../learning/distances/distances.ts';
import { areTooClose, defaultFloors, floorsOfPair } from '../../learning/distances/floors.ts';
import { joinProbes, PROBE_EPISODES, type ProbeOptions, probeSimulator } from '../../learning/distances/probe.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';

// What distances between simulators promise on every family.

/** A simulator changed more and more. */
interface Growth {
  readonly of: string;
  readonly metrics: readonly DistanceMetric[];
  readonly steps: readonly object[];
}

const rules = (name: string, values: readonly number[]): Growth => ({
  of: `rules.${name}`,
  metrics: DISTANCE_METRICS,
  steps: values.map((value) => ({ rules: { [name]: value } })),
});
const rewards = (name: string, values: readonly number[]): Growth => ({
  of: `rewards.${name}`,
  metrics: ['reward_distribution'],
  steps: values.map((value) => ({ rewards: { [name]: value } })),
});
const partner = (seat: number, name: string): Growth => ({
  of: `partners.${seat}.epsilon`,
  metrics: DISTANCE_METRICS,
  steps: [0, 0.3, 0.6, 1].map((epsilon) => ({ partners: { [seat]: { kind: 'scripted', name, epsilon } } })),
});

/** Starting from the defaults: what must move a simulator ever farther away. */
const GROWTHS: Readonly<Record<string, readonly Growth[]>> = {
  simple_spread: [
    rules('damping', [0.25, 0.35, 0.5, 0.8]),
    rules('acceleration', [5, 7, 10, 16]),
    partner(1, 'leftmost_landmark'),
    rewards('coverage', [1, 1.5, 2.5, 5]),
  ],
  kitchen: [rules('move_success', [1, 0.8, 0.5, 0.2]), partner(1, 'greedy'), rewards('placement', [3, 5, 10, 30])],
  foraging: [
    rules('move_success', [1, 0.8, 0.5, 0.2]),
    partner(1, 'nearest_food'),
    rewards('penalty', [0, 0.05, 0.2, 0.6]),
  ],
  simple_tag: [
    rules('damping', [0.25, 0.35, 0.5, 0.8]),
    rules('adversary_acceleration', [3, 4, 6, 10]),
    partner(3, 'flee_nearest'),
    rewards('catch', [10, 15, 25, 50]),
  ],
  simple_speaker_listener: [
    rules('damping', [0.25, 0.35, 0.5, 0.8]),
    rules('acceleration', [5, 7, 10, 16]),
    partner(0, 'faithful'),
    partner(1, 'greedy'),
    rewards('squared_distance', [1, 1.5, 2.5, 5]),
  ],
};

/** Episodes of a part of a probe. */
const OPENING = 48;

const families = Object.values(FAMILIES).map((family) => ({
  title: family.name,
  world: family.open(family.optionsSchema.parse({})),
}));

it('every registered family says which changes must move a simulator away', () => {
  expect(Object.keys(GROWTHS)).toEqual(expect.arrayContaining(Object.keys(FAMILIES)));
});

describe.each(families)('$title', ({ title, world }) => {
  const options: ProbeOptions = {
    learners: world.groups.flatMap(({ seats }) => seats),
    seed: 0,
    episodes: PROBE_EPISODES,
  };
  const simulatorOf = (written: object): SimulatorData => world.simulatorSchema.parse(written);
  const probe = (simulator: SimulatorData, changes: Partial<ProbeOptions> = {}) =>
    probeSimulator(world, simulator, { ...options, ...changes });
  const some = catalogueOf(world).slice(0, 8);
  const probes = some.map((simulator) => probe(simulator));

  it('counts every state of every episode once for each seat and feature', () => {
    for (const { visits, pooledVisits, bins, returns } of probes) {
      const steps = sum(visits) / (world.seatCount * world.features.length);
      expect(steps).toBeGreaterThanOrEqual(2 * PROBE_EPISODES);
      expect(steps).toBeLessThanOrEqual(2 * PROBE_EPISODES * world.episodeStepsMax);
      expect(sum(pooledVisits)).toBe(sum(visits));
      expect(bins).toEqual(world.features.map((feature) => feature.bins));
      for (const sample of returns) {
        expect([...sample]).toEqual([...sample].sort((a, b) => a - b));
        expect(sample).toHaveLength(PROBE_EPISODES);
        expect(sample.every(Number.isFinite)).toBe(true);
      }
    }
  });

  it('a probe repeats itself under one seed, and differs under another', () => {
    expect(probe(some[0]!)).toEqual(probes[0]);
    expect(probe(some[0]!, { seed: 1 }).visits).not.toEqual(probes[0]!.visits);
  });

  it('a probe that is played in two parts is the one that is played at once', () => {
    const opening = probe(some[0]!, { episodes: OPENING });
    const rest = probe(some[0]!, { first: OPENING, episodes: PROBE_EPISODES - OPENING });
    expect(joinProbes(opening, rest)).toEqual(probes[0]);
  });

  it('what the first episodes say of a distance holds for all of them', () => {
    const openings = some.map((simulator) => probe(simulator, { episodes: OPENING }));
    let told = 0;
    for (const [a, one] of probes.entries()) {
      for (const [b, other] of probes.entries()) {
        const distance = stateVisitation(one, other);
        expect(visitationReaches(one, other, distance * 0.999, PROBE_EPISODES)).toBe(true);
        expect(visitationReaches(one, other, distance * 1.001 + 1e-9, PROBE_EPISODES)).toBe(false);
        for (const least of [0.01, 0.02, 0.05]) {
          if (!visitationReaches(openings[a]!, openings[b]!, least, PROBE_EPISODES)) continue;
          told += 1;
          expect(distance).toBeGreaterThanOrEqual(least);
        }
      }
    }
    expect(told > 0 || some.length < 2).toBe(true);
  });

  it('a distance is symmetric, 0 from a simulator to itself, and within its bounds', () => {
    for (const a of probes) {
      for (const metric of DISTANCE_METRICS) expect(distancesBetween(a, a)[metric], metric).toBe(0);
      for (const b of probes) {
        const [there, back] = [distancesBetween(a, b), distancesBetween(b, a)];
        for (const metric of DISTANCE_METRICS) {
          expect(there[metric], metric).toBeCloseTo(back[metric], 12);
          expect(there[metric], metric).toBeGreaterThanOrEqual(0);
        }
        expect(there.state_visitation).toBeLessThanOrEqual(1);
      }
    }
  });

  it.each(GROWTHS[title] ?? [])('a growing change of $of moves a simulator ever farther away', ({ steps, metrics }) => {
    const [first, ...changed] = steps.map((written) => probe(simulatorOf(written)));
    const distances = changed.map((other) => distancesBetween(first!, other));
    for (const metric of metrics) {
      const values = distances.map((entry) => entry[metric]);
      expect(values[0], metric).toBeGreaterThan(0);
      expect(values, metric).toEqual(values.toSorted((a, b) => a - b));
      expect(new Set(values).size, metric).toBe(values.length);
    }
  });

  it('reward weights leave the visited states as they are', () => {
    const changes = (GROWTHS[title] ?? []).filter(({ of }) => of.startsWith('rewards.'));
    expect(changes.length).toBeGreaterThan(0);
    for (const { steps } of changes) {
      const { trajectory_kl, state_visitation } = distancesBetween(
        probe(simulatorOf(steps[0]!)),
        probe(simulatorOf(steps.at(-1)!)),
      );
      expect([trajectory_kl, state_visitation]).toEqual([0, 0]);
    }
  });

  it('a partner that is the current policy is probed as a random one, whoever learns', () => {
    const others = options.learners.slice(1);
    const self = Object.fromEntries(others.map((seat) => [seat, { kind: 'self' }]));
    expect(probe(simulatorOf({ partners: self }))).toEqual(probe(simulatorOf({}), { learners: [0] }));
  });

  it('a simulator is too close to itself, and not to one that is played quite differently', () => {
    const [near, ...rest] = GROWTHS[title]![0]!.steps.map(simulatorOf);
    const floors = [near!, rest.at(-1)!].map((simulator) => defaultFloors(world, simulator, probe(simulator), options));
    const pair = floorsOfPair(floors[0]!, floors[1]!);
    for (const metric of DISTANCE_METRICS) expect(pair[metric], metric).toBeGreaterThan(0);
    expect(areTooClose(distancesBetween(probe(near!), probe(near!)), pair)).toBe(true);
    expect(areTooClose(distancesBetween(probe(near!), probe(rest.at(-1)!)), pair)).toBe(false);
  });
});

/** The built-in simulators that the world has seats for. */
function catalogueOf(world: World): SimulatorData[] {
  return Object.values(world.catalogue).flatMap(({ simulator }) => {
    const parsed = world.simulatorSchema.safeParse(simulator);
    return parsed.success ? [parsed.data] : [];
  });
}

function sum(counts: Int32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
