import { describe, expect, it } from 'vitest';
import { RecordingLearner } from '../../test/support/recording-learner.ts';
import { openSpread, scripted, simulatorOf, trainingRound, weighted } from '../../test/support/small-learning.ts';
import type { Batch, World } from '../../simulators/contract.ts';
import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { trainRound } from '../training.ts';
import { SampleLog, SAMPLES_MAX } from './sample-log.ts';

const outcome = (episode: number) => ({ return: -episode, length: 25, success: episode % 3 === 0 });

describe('a log of episodes', () => {
  it('tells them in the order of their ends, and gives scores in that order', () => {
    const log = new SampleLog();
    log.add(2, [0.5, 0.25], outcome(0));
    log.add(0, [], outcome(1));
    log.score(10);
    log.add(1, [0.75], outcome(2));
    log.score(11);
    log.score(12);
    expect(log.columns()).toEqual({
      positions: [2, 0, 1],
      drawn: [0.5, 0.25, 0.75],
      returns: [outcome(0), outcome(1), outcome(2)].map((each) => each.return),
      successes: [true, false, false],
      shortfalls: [10, 11, 12],
    });
  });

  it('has no number for an episode whose score is not known', () => {
    const log = new SampleLog();
    log.add(0, [], outcome(0));
    log.add(0, [], outcome(1));
    log.score(1);
    expect(log.columns().shortfalls).toEqual([1, NaN]);
  });

  it.each([0, 1, 700])('keeps the newest of them, %i more than that, with what was drawn for each', (excess) => {
    const log = new SampleLog();
    const count = SAMPLES_MAX + excess;
    // Blocks of some hundred episodes, as in training; episodes of every other entry have a draw.
    for (let first = 0; first < count; first += 300) {
      const block = Array.from({ length: Math.min(300, count - first) }, (_, index) => first + index);
      for (const episode of block) log.add(episode % 2, episode % 2 === 0 ? [] : [episode], outcome(episode));
      for (const episode of block) log.score(episode / 2);
    }
    const kept = Array.from({ length: SAMPLES_MAX }, (_, index) => excess + index);
    expect(log.columns()).toEqual({
      positions: kept.map((episode) => episode % 2),
      drawn: kept.filter((episode) => episode % 2 === 1),
      returns: kept.map((episode) => outcome(episode).return),
      successes: kept.map((episode) => outcome(episode).success),
      shortfalls: kept.map((episode) => episode / 2),
    });
  });
});

/** An episode that a batch has really played, as it was reset. */
interface Played {
  readonly parameters: Float64Array;
  readonly success: boolean;
}

/** A world that notes what its episodes are reset with, and tells those that ended in the order of their ends. */
function watched(world: World): { world: World; ended: Played[] } {
  const ended: Played[] = [];
  const createBatch = (count: number): Batch => {
    const batch = world.createBatch(count);
    const running: Float64Array[] = [];
    const [reset, step] = [batch.reset.bind(batch), batch.step.bind(batch)];
    return Object.assign(batch, {
      reset: (environment: number, parameters: Float64Array, key: Parameters<Batch['reset']>[2]) => {
        running[environment] = parameters.slice();
        reset(environment, parameters, key);
      },
      step: async (actions: Int32Array) => {
        await step(actions);
        for (let environment = 0; environment < count; environment += 1) {
          if (batch.ended[environment] === 0 && batch.truncated[environment] === 0) continue;
          ended.push({ parameters: running[environment]!, success: batch.success[environment] === 1 });
        }
      },
    });
  };
  return { world: Object.assign(Object.create(world) as World, { createBatch }), ended };
}

describe('what a round that keeps samples tells', () => {
  const bare = openSpread({ agents: 2, episode_steps: 6 });
  const indexOf = (path: string) => bare.parameters.findIndex((parameter) => parameter.path === path);
  // In the order in which draws are told. The second simulator has no partner with an epsilon.
  const paths = ['partners.1.epsilon', 'rules.damping'];
  const ranges = { 'rules.damping': [0.1, 0.5], 'partners.1.epsilon': [0.2, 0.9] } as const;
  const marked = (collision: number, written: object = scripted(1, 'nearest_landmark')) =>
    simulatorOf(bare, { ...written, rewards: { collision } });
  const onLearner = scripted(0, 'nearest_landmark');
  const pool = [
    { ...weighted(marked(1), 0.3), randomization: ranges },
    { ...weighted(marked(2, { partners: { 1: { kind: 'self' } } }), 0.3), randomization: ranges },
    { ...weighted(marked(3), 0.2), learns: false },
    // Nobody learns here: its episodes are no samples.
    { ...weighted(marked(4, onLearner), 0.2), randomization: ranges },
  ];
  const positionOf = (parameters: Float64Array) => parameters[indexOf('rewards.collision')]! - 1;

  async function play() {
    const { world, ended } = watched(bare);
    const learner = new RecordingLearner(bare);
    // Blocks end in the middle of episodes.
    const sizes = { stepCount: 10, environmentCount: 12, updateCount: 7 };
    const round = trainingRound(world, learner, {
      ...{ ...sizes, pool, learners: [0], scoresEpisodes: true, keepsSamples: true },
    });
    const { samples, episodes } = await trainRound(round);
    return { samples: samples!, episodes, told: ended.filter(({ parameters }) => positionOf(parameters) < 3), ended };
  }

  it('are the entry and the draws that every episode with a learner was really played with, in order', async () => {
    const { samples, told, ended } = await play();
    expect(told.length).toBeGreaterThan(50);
    expect(ended.length).toBeGreaterThan(told.length);
    expect(samples.positions).toEqual(told.map(({ parameters }) => positionOf(parameters)));
    expect(new Set(samples.positions)).toEqual(new Set([0, 1, 2]));
    expect(samples.successes).toEqual(told.map(({ success }) => success));
    const drawn = told.flatMap(({ parameters }) => {
      const values = paths.map((path) => parameters[indexOf(path)]!);
      return [values, [NaN, values[1]!], []][positionOf(parameters)]!;
    });
    expect(samples.drawn).toEqual(drawn);
    expect(samples.shortfalls.every(Number.isFinite)).toBe(true);
  });

  it('sums up to what the round tells of each simulator', async () => {
    const { samples, episodes } = await play();
    for (const position of [0, 1, 2]) {
      const own = <Value>(column: readonly Value[]) =>
        column.filter((_, index) => samples.positions[index] === position);
      const summary = episodes[position]!;
      expect(own(samples.returns).length).toBe(summary.episodes);
      expect(mean(own(samples.returns))).toBeCloseTo(summary.returnMean, 9);
      expect(sampleStandardDeviation(own(samples.returns))).toBeCloseTo(summary.returnStd, 9);
      expect(mean(own(samples.successes).map(Number))).toBeCloseTo(summary.successRate, 12);
      expect(mean(own(samples.shortfalls))).toBeCloseTo(summary.scores!.shortfall, 9);
    }
  });
});
