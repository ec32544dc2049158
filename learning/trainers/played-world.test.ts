import { describe, expect, it } from 'vitest';
import { openSpread, simulatorOf } from '../../test/support/small-learning.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { episodeKeys } from '../rollout/episode-keys.ts';
import { EpisodeSource } from '../rollout/episode-source.ts';
import type { EpisodeOutcome } from '../rollout/episode-tally.ts';
import { NO_POLICIES } from '../rollout/partner-policies.ts';
import { PlayedWorld } from './played-world.ts';

const STEPS = 6;
const ENVIRONMENTS = 5;
const world: World = openSpread({ agents: 3, episode_steps: STEPS });
const beside = (partners: SimulatorData['partners']): SimulatorData => ({ ...simulatorOf(world), partners });
const scripted = simulatorOf(world, { partners: { '2': { kind: 'scripted', name: 'nearest_landmark' } } });
const pool = [
  { name: 'scripted', simulator: scripted, weight: 0.5, randomization: {}, learns: true },
  { name: 'self', simulator: beside({ '2': { kind: 'self' } }), weight: 0.5, randomization: {}, learns: false },
];

async function opened(more: object = {}) {
  const outcomes: (EpisodeOutcome & { simulator: number })[] = [];
  const played = await PlayedWorld.create({
    world,
    learners: [0, 1],
    pool,
    groupSize: 1,
    seed: 3,
    roundIndex: 2,
    environmentCount: ENVIRONMENTS,
    loadPolicy: NO_POLICIES,
    onEpisode: (simulator, outcome) => outcomes.push({ simulator, ...outcome }),
    ...more,
  });
  return { played, outcomes };
}

/** So many steps with actions that depend on nothing. */
async function walk(played: PlayedWorld, steps: number, visit: (step: number) => void): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    played.actions.forEach((_, index) => (played.actions[index] = (index + step) % 5));
    await played.step();
    visit(step);
  }
}

describe('the world that a program of the user plays', () => {
  it('holds the simulators, starts and chance of a round of ours', async () => {
    const { played } = await opened();
    const batch = world.createBatch(ENVIRONMENTS);
    const source = new EpisodeSource(world, pool);
    const key = keyFrom(3, PURPOSE.episode, 2);
    for (let environment = 0; environment < ENVIRONMENTS; environment += 1) {
      const { start } = episodeKeys(key, { environment, episode: 0, groupSize: 1 });
      const simulator = source.choose(start);
      expect(played.simulators[environment]).toBe(simulator);
      source.start(batch, environment, simulator, start);
    }
    const seen = new Float32Array(played.observations[0]!.length);
    batch.observe(0, seen);
    expect(played.observations[0]).toEqual(seen);
    expect(new Set(played.simulators).size).toBe(2);
  });

  it('repeats itself under one seed and round, and differs under others', async () => {
    const traceOf = async (more: object) => {
      const { played } = await opened(more);
      const trace: number[] = [];
      await walk(played, 2 * STEPS, () => trace.push(...played.rewards, ...played.observations[0]!));
      return trace;
    };
    const first = await traceOf({});
    expect(await traceOf({})).toEqual(first);
    expect(await traceOf({ seed: 4 })).not.toEqual(first);
    expect(await traceOf({ roundIndex: 3 })).not.toEqual(first);
  });

  it('begins the next episode at once, and keeps what was seen last', async () => {
    const { played, outcomes } = await opened();
    await walk(played, STEPS, (step) => {
      const isOver = step === STEPS - 1;
      expect([...played.truncated]).toEqual(Array(ENVIRONMENTS).fill(isOver ? 1 : 0));
      if (isOver) expect(played.observations[0]).not.toEqual(played.final[0]);
      else expect(played.observations[0]).toEqual(played.final[0]);
    });
    expect(outcomes).toHaveLength(ENVIRONMENTS);
    expect(outcomes.every(({ length }) => length === STEPS)).toBe(true);
    expect([...played.lengths]).toEqual(Array(ENVIRONMENTS).fill(0));
    const visits = played.visitation.flat(2).reduce((sum, count) => sum + count, 0);
    // Two learners are counted in every state in which they acted, once for each feature.
    expect(visits).toBe(ENVIRONMENTS * STEPS * 2 * world.features.length);
  });

  it('says of every seat who acts there, and whether it learns', async () => {
    const { played } = await opened();
    for (let environment = 0; environment < ENVIRONMENTS; environment += 1) {
      const seats = [...played.seats.subarray(environment * 3, (environment + 1) * 3)];
      expect(seats).toEqual(played.simulators[environment] === 0 ? [2, 2, 0] : [1, 1, 1]);
    }
  });
});
