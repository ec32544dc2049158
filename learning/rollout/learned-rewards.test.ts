import { describe, expect, it } from 'vitest';
import { RecordingLearner } from '../../test/support/recording-learner.ts';
import { openSpread, simulatorOf, trainingRound, weighted } from '../../test/support/small-learning.ts';
import type { Batch, World } from '../../simulators/contract.ts';
import { keyFrom } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { trainRound } from '../training.ts';
import { LearnedRewards, REWARD_KINDS, type RewardKind } from './learned-rewards.ts';

function placed(world: World, start: object, simulator: object = {}): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulatorOf(world, simulator)), keyFrom(1));
  batch.place(0, world.startSchema.parse(start));
  return batch;
}

/** What the learners of a world get for a step of one environment. */
function learnedOf(kind: RewardKind, world: World, batch: Batch, actions: Int32Array | Float32Array): number[] {
  const seats = Array.from({ length: world.seatCount }, (_, seat) => seat);
  const learned = new LearnedRewards(kind, world, 1, seats);
  learned.foresee(batch, actions);
  void batch.step(actions);
  return [...learned.of(batch.rewards)];
}

describe('what learners are rewarded with', () => {
  const rewards = Float64Array.of(1, 2, 4, 10, -20, 40);

  it('is what the world gives, or for everybody the sum of what it gives to all', () => {
    const of = (kind: RewardKind) => [...new LearnedRewards(kind, { seatCount: 3 }, 2, [0, 1, 2]).of(rewards)];
    expect(of('own')).toEqual([...rewards]);
    expect(of('team')).toEqual([7, 7, 7, 30, 30, 30]);
  });

  it('leaves what the world gives as it is', () => {
    const before = rewards.slice();
    new LearnedRewards('team', { seatCount: 3 }, 2, [0]).of(rewards);
    expect(rewards).toEqual(before);
  });
});

describe('the difference that a seat makes', () => {
  const spread = openSpread({ agents: 2 });
  // Without a part of its own, a reward is −(sum of the distances), and the sum over both seats twice that.
  const shared = { rewards: { local_ratio: 0 } };
  const start = { agents: [[-2, 0], [2, 0]], landmarks: [[-1, 0], [2, 0]] }; // prettier-ignore

  it('is how much nearer it brings the team to a landmark, in the step in which its push shows', () => {
    // A push of 5 for 0.1 s on a mass of 1 gives a velocity of 0.5, and that in 0.1 s a way of 0.05 that two seats are paid for.
    const [towards, still] = learnedOf('difference', spread, placed(spread, start, shared), Int32Array.of(2, 0));
    expect(towards).toBeCloseTo(2 * 0.05, 12);
    expect(still).toBe(0);
    const [away] = learnedOf('difference', spread, placed(spread, start, shared), Int32Array.of(1, 0));
    expect(away).toBeCloseTo(-2 * 0.05, 12);
  });

  it('is 0 for a push that no step of the episode is left to show', () => {
    const late = placed(spread, { ...start, step: spread.episodeStepsMax - 1 }, shared);
    expect(learnedOf('difference', spread, late, Int32Array.of(2, 2))).toEqual([0, 0]);
  });

  it('waits for the push where actions are delayed', () => {
    const late = { ...shared, perturbations: { action_delay: 2 } };
    const [towards, still] = learnedOf('difference', spread, placed(spread, start, late), Int32Array.of(2, 0));
    expect(towards).toBeCloseTo(2 * 0.05, 12);
    expect(still).toBe(0);
  });

  it('of two who can lift an item only together is, for each, all that it is worth and the penalty of the other', () => {
    const foraging = FAMILIES['foraging']!.open(FAMILIES['foraging']!.optionsSchema.parse({ food: 1 }));
    const beside = { players: [[3, 2, 1], [3, 4, 1]], food: [[3, 3, 2]] }; // prettier-ignore
    const simulator = { rewards: { penalty: 0.25 } };
    const load = 5;
    const of = (...actions: number[]) =>
      learnedOf('difference', foraging, placed(foraging, beside, simulator), Int32Array.from(actions));
    expect(of(load, load)).toEqual([1.25, 1.25]);
    expect(of(load, 0)).toEqual([-0.25, 0]);
    expect(of(0, 0)).toEqual([0, 0]);
  });

  it('is 0 for whoever does nothing in a box, too', () => {
    const boxes = openSpread({ agents: 2, continuous_actions: true });
    const actions = Float32Array.of(1, 0, 0, 0, 0, 0, 0.5, 0, 0, 0);
    const [still, away] = learnedOf('difference', boxes, placed(boxes, start, shared), actions);
    expect(still).toBe(0);
    expect(away).toBeCloseTo(-2 * 0.025, 12);
  });
});

describe('a round', () => {
  const world = openSpread({ agents: 3, episode_steps: 5 });

  async function played(reward: RewardKind) {
    const learner = new RecordingLearner(world);
    const pool = [weighted(simulatorOf(world, { partners: { 2: { kind: 'scripted', name: 'nearest_landmark' } } }))];
    const { episodes } = await trainRound(
      trainingRound(world, learner, { reward, pool, learners: [0, 1], updateCount: 1 }),
    );
    return { episodes, rollout: learner.rollouts[0]![0]! };
  }

  it('is played and told alike whatever its learners are rewarded with; they get what was said', async () => {
    const [own, team, difference] = await Promise.all(REWARD_KINDS.map(played));
    expect(team!.episodes).toEqual(own!.episodes);
    expect(difference!.episodes).toEqual(own!.episodes);
    expect(team!.rollout.actions).toEqual(own!.rollout.actions);
    const steps = own!.rollout.rewards.length / own!.rollout.seats.length;
    let returned = 0;
    for (let step = 0; step < steps; step += 1) {
      const [first, second] = [0, 1].map((seat) => team!.rollout.rewards[2 * step + seat]!);
      expect(first).toBe(second);
      returned += first!;
    }
    // The return of a cooperative world is the sum over all seats: what the team got, by episode.
    const { returnMean, episodes: count } = own!.episodes[0]!;
    expect(returned / count).toBeCloseTo(returnMean, 4);
    expect(new Set(difference!.rollout.rewards).size).toBeGreaterThan(10);
    expect(difference!.rollout.rewards).not.toEqual(own!.rollout.rewards);
  });
});
