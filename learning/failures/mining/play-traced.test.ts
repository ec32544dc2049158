import { describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS } from '../../../test/support/made-up-mined.ts';
import { RecordingLearner, valueOfInputs } from '../../../test/support/recording-learner.ts';
import { scripted, simulatorOf } from '../../../test/support/small-learning.ts';
import { createActions } from '../../../simulators/actions.ts';
import type { Batch, SimulatorData, World } from '../../../simulators/contract.ts';
import { type Key, keyFrom, PURPOSE } from '../../../simulators/random.ts';
import { FAMILIES } from '../../../simulators/registry.ts';
import { evaluate, type Player } from '../../evaluation.ts';
import { presentLearners } from '../../rollout/driven-seats.ts';
import { NO_POLICIES } from '../../rollout/partner-policies.ts';
import { playTraced, type TracedPlay } from './play-traced.ts';
import type { TracedEpisode } from './traced-episode.ts';

const SEED = 3;
/** More episodes, of three simulators, than are played in one pass. */
const MANY = 30;

const keysOf = (count: number): Key[] =>
  Array.from({ length: count }, (_, episode) => keyFrom(SEED, PURPOSE.evaluation, episode));

function playOf(world: World, simulators: readonly SimulatorData[], learners: readonly number[]): TracedPlay {
  return {
    world,
    simulators,
    learners: simulators.map((simulator) => presentLearners(learners, simulator)),
    keys: keysOf(MANY),
    loadPolicy: NO_POLICIES,
    onProgress: () => undefined,
  };
}

/** What was seen when an episode was played again with its actions, step by step. */
function playAgain(world: World, simulator: SimulatorData, key: Key, { actions }: Pick<TracedEpisode, 'actions'>) {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), key);
  const seen = [momentOf(world, batch)];
  for (const joint of actions) {
    const given = createActions(world, 1);
    given.set(joint);
    void batch.step(given);
    const size = joint.length / world.seatCount;
    const isTold = (value: number, at: number) =>
      batch.external[Math.floor(at / size)] === 1 || batch.actions[at] === value;
    expect(joint.every(isTold)).toBe(true);
    seen.push(momentOf(world, batch));
  }
  return { seen, ended: batch.ended[0] === 1, truncated: batch.truncated[0] === 1 };
}

function momentOf(world: World, batch: Batch) {
  const features = new Float64Array(world.seatCount * world.features.length);
  batch.observeFeatures(features);
  const values: number[] = [];
  world.groups.forEach(({ seats, observationSize }, group) => {
    const observations = new Float32Array(seats.length * observationSize);
    batch.observe(group, observations);
    seats.forEach((seat, place) => {
      values[seat] = valueOfInputs(observations.subarray(place * observationSize, (place + 1) * observationSize));
    });
  });
  return { features: [...features], values, rewards: [...batch.rewards], state: batch.state(0) };
}

const meanOver = (seats: readonly number[], numbers: readonly number[]): number =>
  seats.reduce((sum, seat) => sum + numbers[seat]!, 0) / seats.length;

/** Two of three players learn, on a field so small that all the food is found now and then. */
function smallForaging() {
  const family = FAMILIES['foraging']!;
  const world = family.open(family.optionsSchema.parse({ field_size: 5, players: 3, food: 1, episode_steps: 40 }));
  const simulators = ['random', 'nearest_food'].map((name) => simulatorOf(world, scripted(1, name)));
  return { world, learners: [0, 2], simulators };
}

const situations = [
  ...Object.entries(FAILING_SITUATIONS).map(([title, { world, learners, validation }]) => ({
    title,
    world,
    learners,
    simulators: validation.map(({ simulator }) => simulator),
  })),
  { title: 'small foraging', ...smallForaging() },
];

describe.each(situations)('traced episodes of $title', ({ world, learners, simulators }) => {
  const player: Player = { kind: 'policy', learner: new RecordingLearner(world), mode: 'sampled' };
  const play = playOf(world, simulators, learners);

  it('are those of an evaluation with the same keys, and the same again', async () => {
    const traced = await playTraced(player, play);
    const evaluated = await evaluate(player, {
      ...play,
      learners,
      simulators: simulators.map((simulator) => ({ simulator, randomization: {} })),
      episodes: MANY,
      seed: SEED,
    });
    const outcomes = traced.map((episodes) =>
      episodes.map(({ length, success, ...episode }) => ({ return: episode.return, length, success })),
    );
    expect(outcomes).toEqual(evaluated.map(({ episodes }) => episodes));
    expect(await playTraced(player, play)).toEqual(traced);
  });

  it('hold all that is seen when their actions are played again, and what the critic says of it', async () => {
    const traced = await playTraced(player, play);
    let terminated = 0;
    for (const [index, episodes] of traced.entries()) {
      const present = play.learners[index]!;
      for (const [episode, trace] of episodes.entries()) {
        const { seen, ended, truncated } = playAgain(world, simulators[index]!, play.keys[episode]!, trace);
        expect([trace.length, ended || truncated]).toEqual([trace.actions.length, true]);
        expect(trace.features).toEqual(seen.map(({ features }) => features));
        expect(trace.rewards).toEqual(seen.slice(1).map(({ rewards }) => meanOver(present, rewards)));
        expect(trace.states).toEqual(seen.map(({ state }) => state));
        const values = seen.map((moment) => meanOver(present, moment.values));
        if (ended) values[trace.length] = 0;
        expect(trace.values).toEqual(values);
        terminated += ended ? 1 : 0;
      }
    }
    // Only here do episodes terminate often enough to be seen to.
    if (play.world.options['field_size'] === 5) expect(terminated).toBeGreaterThan(5);
  });

  it('of chance have no values, and start alike', async () => {
    const chance = await playTraced({ kind: 'random' }, play);
    const traced = await playTraced(player, play);
    expect(chance.flat().every(({ values }) => values.length === 0)).toBe(true);
    expect(chance.map((episodes) => episodes.map(({ states }) => states[0]))).toEqual(
      traced.map((episodes) => episodes.map(({ states }) => states[0])),
    );
  });
});
