import { type AdvantageOptions, fillAdvantages } from '../advantages.ts';
import { type Rollout, STEP_CONTINUES, STEP_TERMINATED } from './rollout-buffer.ts';
import type { EpisodeScores } from '../strategies/contract.ts';

// Letters: T steps of a block, B environments, D driven seats of a group, R = B·D rows, τ steps of an episode.

export interface EpisodeScore extends Omit<EpisodeScores, 'discountedReturnMax'> {
  readonly discountedReturn: number;
}

/** Sums up the scores of the finished episodes of one simulator. */
export class ScoreTally {
  private episodes = 0;
  private positiveValueLoss = 0;
  private value = 0;
  private shortfall = 0;
  private discountedReturnMax = -Infinity;

  add(score: EpisodeScore): void {
    this.episodes += 1;
    this.positiveValueLoss += score.positiveValueLoss;
    this.value += score.valueMean;
    this.shortfall += score.shortfall;
    this.discountedReturnMax = Math.max(this.discountedReturnMax, score.discountedReturn);
  }

  summary(): EpisodeScores {
    return {
      positiveValueLoss: this.positiveValueLoss / this.episodes,
      valueMean: this.value / this.episodes,
      discountedReturnMax: this.episodes === 0 ? NaN : this.discountedReturnMax,
      shortfall: this.shortfall / this.episodes,
    };
  }
}

export interface ScorerOptions {
  readonly groups: readonly { readonly rollout: Rollout; readonly seats: readonly number[] }[];
  readonly environmentCount: number;
  /** Those of the learner whose values the rollouts hold. */
  readonly returns: AdvantageOptions;
  /** For each simulator, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
  /** Told of every episode with a learner, in the order of their ends: by step, then by environment. */
  readonly onScore: (simulator: number, score: EpisodeScore) => void;
}

/** What is known of the running episode of one environment: means over the learners present, summed over steps. */
interface RunningScore {
  steps: number;
  positive: number;
  value: number;
  firstValue: number;
  discountedReturn: number;
  /** γ to the power of `steps`. */
  discount: number;
}

/**
 * Scores the learners' episodes against their own critic. With means over the learners present,
 *
 *     positive value loss   1/τ Σ_t max(A_t, 0)
 *     value                 1/τ Σ_t V(s_t)
 *     discounted return     Σ_t γᵗ r_t
 *     shortfall             V(s_0) − Σ_t γᵗ r_t − γ^τ V(s_τ),  V(s_τ) = 0 at a termination
 *
 * A are the advantages that are learnt from, so their trace is cut at the end of a block; everything else goes on from
 * block to block. Episodes without a learner have no score.
 *
 * @source positive value loss: Jiang et al.: Prioritized Level Replay (arXiv 2010.03934); shortfall: ours, the negative
 *   of the advantage of a whole episode
 */
export class EpisodeScorer {
  private readonly options: ScorerOptions;
  private readonly advantages: readonly Float32Array[];
  private readonly running: RunningScore[];

  constructor(options: ScorerOptions) {
    this.options = options;
    this.advantages = options.groups.map(({ rollout }) => new Float32Array(rollout.rewards.length));
    this.running = Array.from({ length: options.environmentCount }, startScore);
  }

  /** Takes in a block that is complete. @param simulators shape [T B]: the one that each step was played in */
  addBlock(simulators: Int32Array): void {
    const { groups, environmentCount, returns } = this.options;
    groups.forEach(({ rollout }, index) => fillAdvantages(rollout, returns, this.advantages[index]!));
    for (let place = 0; place < simulators.length; place += 1) {
      const environment = place % environmentCount;
      this.addStep(environment, (place - environment) / environmentCount, simulators[place]!);
    }
  }

  private addStep(environment: number, step: number, simulator: number): void {
    const learners = this.options.presentLearners[simulator]!;
    if (learners.length === 0) return;
    const running = this.running[environment]!;
    let [positive, value, reward, nextValue, end] = [0, 0, 0, 0, STEP_CONTINUES as number];
    this.options.groups.forEach(({ rollout, seats }, group) => {
      const first = step * rollout.rowCount + environment * seats.length;
      seats.forEach((seat, column) => {
        if (!learners.includes(seat)) return;
        const index = first + column;
        positive += Math.max(this.advantages[group]![index]!, 0) / learners.length;
        value += rollout.values[index]! / learners.length;
        reward += rollout.rewards[index]! / learners.length;
        nextValue += rollout.nextValues[index]! / learners.length;
        end = rollout.ends[index]!;
      });
    });
    if (running.steps === 0) running.firstValue = value;
    running.steps += 1;
    running.positive += positive;
    running.value += value;
    running.discountedReturn += running.discount * reward;
    running.discount *= this.options.returns.gamma;
    if (end !== STEP_CONTINUES) this.finish(environment, simulator, end === STEP_TERMINATED ? 0 : nextValue);
  }

  private finish(environment: number, simulator: number, lastValue: number): void {
    const { steps, positive, value, firstValue, discountedReturn, discount } = this.running[environment]!;
    this.options.onScore(simulator, {
      positiveValueLoss: positive / steps,
      valueMean: value / steps,
      discountedReturn,
      shortfall: firstValue - discountedReturn - discount * lastValue,
    });
    this.running[environment] = startScore();
  }
}

const startScore = (): RunningScore => ({
  steps: 0,
  positive: 0,
  value: 0,
  firstValue: 0,
  discountedReturn: 0,
  discount: 1,
});
