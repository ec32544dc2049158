import { ThawError } from '../../schemas/errors.ts';
import { policyEntropy } from './action-distribution.ts';
import { BehaviourEpisodes, type BehaviourEpisodesOptions, GROUP_SIZE } from './behaviour-episodes.ts';
import { Dwelling } from './dwelling.ts';
import type { EpisodeOutcome } from '../rollout/episode-tally.ts';
import { Indifference } from './indifference.ts';
import { mean } from '../statistics/moments.ts';
import type { LearnerRows } from '../rollout/playing-group.ts';
import { zeroVarianceShare } from './zero-variance.ts';

// Letters: B environments.

/** How the learners behave on the training pool with sampled actions. NaN where no learner is ever present. */
export interface Behaviour {
  /** In [0, 1], see `zeroVarianceShare`. */
  readonly zeroVarianceShare: number;
  /** Mean over the steps of the learners, in nats, in [0, ln A]. */
  readonly policyEntropy: number;
  /** Mean over episodes and learners of the share of steps in the modal cell of own position, in [0, 1]. */
  readonly dwelling: number;
  /** 1 − mean total variation of π when the others are exchanged, in [0, 1]; see `Indifference`. */
  readonly indifference: number;
  /** What it cost to play. */
  readonly envSteps: number;
}

export interface BehaviourOptions extends BehaviourEpisodesOptions {
  /** R − r on the training pool, in units of return. */
  readonly gain: number;
  readonly onProgress: (episodesDone: number) => void | Promise<void>;
}

/**
 * Plays groups of 8 episodes and measures in them what tells a policy that acts by rote. Every number of it is a
 * function of the weights, the pool and the evaluation's seed.
 *
 * The others are exchanged between episodes of different groups: in one's own they start alike and would change nothing.
 * A step of an episode whose simulator no other group plays then counts for `indifference` no more.
 *
 * @throws DEFECT_INVARIANT when the pool has a trained partner and none is given
 */
export async function probeBehaviour(options: BehaviourOptions): Promise<Behaviour> {
  const { world } = options;
  const episodes = await BehaviourEpisodes.create(options);
  const dwelling = new Dwelling(world, options.episodes);
  const indifference = new Indifference(world);
  const entropies: number[] = [];
  for (let step = 0; step < world.episodeStepsMax && episodes.outcomes.includes(null); step += 1) {
    dwelling.add(episodes.batch, (environment) => episodes.isRunning(environment));
    const strangers = strangersOf(episodes);
    for (const group of episodes.groups) {
      await episodes.act(group);
      const rows = group.learnerRows;
      if (rows === null) continue;
      addEntropies(episodes, rows, entropies);
      await indifference.add(rows, strangers, (environment) => episodes.learnersOf(environment));
    }
    await episodes.step();
    await options.onProgress(episodes.outcomes.filter((outcome) => outcome !== null).length);
  }
  await episodes.release();
  const outcomes = finished(episodes);
  return {
    zeroVarianceShare: zeroVarianceShare(grouped(outcomes), { hasSuccess: world.hasSuccess, gain: options.gain }),
    policyEntropy: mean(entropies),
    dwelling: mean(
      outcomes.flatMap((_, environment) =>
        episodes.learnersOf(environment).map((seat) => dwelling.of(environment, seat)),
      ),
    ),
    indifference: indifference.value,
    envSteps: outcomes.reduce((sum, { length }) => sum + length, 0),
  };
}

/**
 * For each episode another one to take the others from: of the same simulator and another group, both still going on, the
 * next in order. @returns shape [B], −1 where there is none
 */
function strangersOf(episodes: BehaviourEpisodes): Int32Array {
  const count = episodes.outcomes.length;
  return Int32Array.from({ length: count }, (_, environment) => {
    if (!episodes.isRunning(environment)) return -1;
    for (let offset = GROUP_SIZE; offset < count; offset += 1) {
      const other = (environment + offset) % count;
      const isOfGroup = Math.floor(other / GROUP_SIZE) === Math.floor(environment / GROUP_SIZE);
      const isOfSimulator = episodes.simulators[other] === episodes.simulators[environment];
      if (!isOfGroup && isOfSimulator && episodes.isRunning(other)) return other;
    }
    return -1;
  });
}

function addEntropies(episodes: BehaviourEpisodes, { actor, seats, actions }: LearnerRows, entropies: number[]): void {
  for (let environment = 0; environment < episodes.outcomes.length; environment += 1) {
    if (!episodes.isRunning(environment)) continue;
    const learners = episodes.learnersOf(environment);
    for (const [index, seat] of seats.entries()) {
      if (!learners.includes(seat)) continue;
      entropies.push(policyEntropy(actor.logits, environment * seats.length + index, actions));
    }
  }
}

/** @throws DEFECT_INVARIANT when an episode outlasted what its family promises */
function finished({ outcomes }: BehaviourEpisodes): EpisodeOutcome[] {
  const ended = outcomes.filter((outcome) => outcome !== null);
  if (ended.length === outcomes.length) return ended;
  throw new ThawError('DEFECT_INVARIANT', 'an episode outlasted the most steps that its family allows');
}

function grouped(outcomes: readonly EpisodeOutcome[]): EpisodeOutcome[][] {
  return Array.from({ length: outcomes.length / GROUP_SIZE }, (_, group) =>
    outcomes.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE),
  );
}
