import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { plainRollout } from '../../test/support/plain-rollout.ts';
import { fillAdvantages } from '../advantages.ts';
import { EpisodeScorer, type ScorerOptions, ScoreTally } from './episode-scores.ts';
import { type Rollout, STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from './rollout-buffer.ts';

const ENVIRONMENTS = 4;
const STEPS = 40;
const returns = { gamma: 0.9, lambda: 0.7 };
/** Two groups of seats; the learners of each of three simulators. */
const SEATS = [[0, 1], [3]];
const presentLearners = [[0, 1, 3], [1], []];

/** A story of one block: episodes end at random, and the next is in a simulator of its own. */
function inventStory() {
  const random = new RandomStream(keyFrom(5));
  const rollouts = SEATS.map((seats, group) =>
    plainRollout({ group, stepCount: STEPS, environmentCount: ENVIRONMENTS, seats }),
  );
  for (const { rewards, values, nextValues } of rollouts) {
    for (const array of [rewards, values, nextValues]) array.forEach((_, at) => (array[at] = random.nextNormal()));
  }
  const simulators = new Int32Array(STEPS * ENVIRONMENTS);
  for (let environment = 0; environment < ENVIRONMENTS; environment += 1) {
    let simulator = random.nextInteger(3);
    for (let step = 0; step < STEPS; step += 1) {
      const end = [STEP_CONTINUES, STEP_CONTINUES, STEP_CONTINUES, STEP_TRUNCATED, STEP_TERMINATED][
        random.nextInteger(5)
      ]!;
      simulators[step * ENVIRONMENTS + environment] = simulator;
      rollouts.forEach(({ ends }, group) => {
        const first = (step * ENVIRONMENTS + environment) * SEATS[group]!.length;
        ends.fill(end, first, first + SEATS[group]!.length);
      });
      if (end !== STEP_CONTINUES) simulator = random.nextInteger(3);
    }
  }
  return { rollouts, simulators };
}

/** The steps `first` … of a rollout as a block of its own. */
function blockOf(rollout: Rollout, first: number, stepCount: number): Rollout {
  const { group, seats, rowCount } = rollout;
  const block = plainRollout({ group, stepCount, environmentCount: ENVIRONMENTS, seats });
  for (const name of ['rewards', 'values', 'nextValues', 'ends'] as const) {
    block[name].set(rollout[name].subarray(first * rowCount, (first + stepCount) * rowCount));
  }
  return block;
}

/** Scores of the story when it is played in blocks of the given length. */
function scoresInBlocks({ rollouts, simulators }: ReturnType<typeof inventStory>, blockSteps: number) {
  const tallies = presentLearners.map(() => new ScoreTally());
  const blocks = SEATS.map((seats, group) => ({ seats, rollout: blockOf(rollouts[group]!, 0, blockSteps) }));
  const scorer = new EpisodeScorer({
    groups: blocks,
    environmentCount: ENVIRONMENTS,
    returns,
    presentLearners,
    onScore: (simulator, score) => tallies[simulator]!.add(score),
  });
  for (let first = 0; first < STEPS; first += blockSteps) {
    blocks.forEach(({ rollout }, group) => {
      const next = blockOf(rollouts[group]!, first, blockSteps);
      for (const name of ['rewards', 'values', 'nextValues', 'ends'] as const) rollout[name].set(next[name]);
    });
    scorer.addBlock(simulators.slice(first * ENVIRONMENTS, (first + blockSteps) * ENVIRONMENTS));
  }
  return tallies.map((tally) => tally.summary());
}

/** The definitions episode by episode. */
function scoresByLoop({ rollouts, simulators }: ReturnType<typeof inventStory>, simulator: number) {
  const advantages = rollouts.map((rollout) => {
    const out = new Float32Array(rollout.rewards.length);
    fillAdvantages(rollout, returns, out);
    return out;
  });
  const meanAt = (
    step: number,
    environment: number,
    pick: (rollout: Rollout, index: number, group: number) => number,
  ) => {
    const found = SEATS.flatMap((seats, group) =>
      seats.flatMap((seat, column) => {
        const index = (step * ENVIRONMENTS + environment) * seats.length + column;
        return presentLearners[simulator]!.includes(seat) ? [pick(rollouts[group]!, index, group)] : [];
      }),
    );
    return found.reduce((sum, value) => sum + value, 0) / found.length;
  };
  const episodes: { positiveValueLoss: number; valueMean: number; discounted: number; shortfall: number }[] = [];
  for (let environment = 0; environment < ENVIRONMENTS; environment += 1) {
    let start = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const end = rollouts[1]!.ends[step * ENVIRONMENTS + environment]!;
      if (end === STEP_CONTINUES) continue;
      if (simulators[step * ENVIRONMENTS + environment] === simulator) {
        const steps = Array.from({ length: step - start + 1 }, (_, t) => start + t);
        const over = (pick: (rollout: Rollout, index: number, group: number) => number) =>
          steps.map((at) => meanAt(at, environment, pick));
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
        const values = over(({ values: all }, index) => all[index]!);
        const discounted = over(({ rewards }, index) => rewards[index]!).reduce(
          (sum, reward, t) => sum + returns.gamma ** t * reward,
          0,
        );
        const last =
          end === STEP_TERMINATED ? 0 : meanAt(step, environment, ({ nextValues }, index) => nextValues[index]!);
        episodes.push({
          positiveValueLoss: mean(over((_, index, group) => Math.max(advantages[group]![index]!, 0))),
          valueMean: mean(values),
          discounted,
          shortfall: values[0]! - discounted - returns.gamma ** steps.length * last,
        });
      }
      start = step + 1;
    }
  }
  const meanOf = (name: 'positiveValueLoss' | 'valueMean' | 'shortfall') =>
    episodes.reduce((sum, episode) => sum + episode[name], 0) / episodes.length;
  return {
    count: episodes.length,
    positiveValueLoss: meanOf('positiveValueLoss'),
    valueMean: meanOf('valueMean'),
    shortfall: meanOf('shortfall'),
    discountedReturnMax: Math.max(...episodes.map(({ discounted }) => discounted)),
  };
}

describe('the scores of episodes', () => {
  const story = inventStory();

  it.each([0, 1])('equal their definitions, in simulator %i', (simulator) => {
    const scores = scoresInBlocks(story, STEPS)[simulator]!;
    const { count, ...expected } = scoresByLoop(story, simulator);
    expect(count).toBeGreaterThan(5);
    for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
      expect(scores[name]).toBeCloseTo(expected[name], 5);
    }
  });

  it('but for the trace of the advantages do not depend on where blocks end', () => {
    const whole = scoresInBlocks(story, STEPS);
    const parts = scoresInBlocks(story, 5);
    for (const simulator of [0, 1]) {
      const { positiveValueLoss, ...rest } = parts[simulator]!;
      expect(rest).toEqual({ ...whole[simulator], positiveValueLoss: undefined });
      expect(positiveValueLoss).not.toBe(whole[simulator]!.positiveValueLoss);
    }
  });

  it('are none where no learner is present', () => {
    expect(scoresInBlocks(story, STEPS)[2]).toEqual({
      positiveValueLoss: NaN,
      valueMean: NaN,
      discountedReturnMax: NaN,
      shortfall: NaN,
    });
  });

  it('by hand: an episode that ends and one that is cut off', () => {
    const rollout = plainRollout({ stepCount: 2, environmentCount: 2 });
    rollout.rewards.set([1, 1, 2, 2]);
    rollout.values.set([4, 4, 6, 6]);
    rollout.nextValues.set([6, 6, 8, 8]);
    rollout.ends.set([STEP_CONTINUES, STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED]);
    const tallies = [new ScoreTally(), new ScoreTally()];
    const groups = [{ rollout, seats: [0] }];
    const options = { groups, environmentCount: 2, presentLearners: [[0], [0]] };
    const onScore: ScorerOptions['onScore'] = (simulator, score) => tallies[simulator]!.add(score);
    new EpisodeScorer({ ...options, onScore, returns: { gamma: 0.5, lambda: 0 } }).addBlock(Int32Array.of(0, 1, 0, 1));
    const [terminated, truncated] = tallies.map((tally) => tally.summary());
    // δ: 1 + 0.5·6 − 4 = 0, then 2 − 6 = −4, or 2 + 0.5·8 − 6 = 0.
    expect(terminated).toEqual({ positiveValueLoss: 0, valueMean: 5, discountedReturnMax: 2, shortfall: 4 - 2 });
    expect(truncated).toEqual({ positiveValueLoss: 0, valueMean: 5, discountedReturnMax: 2, shortfall: 4 - 2 - 2 });
  });
});
