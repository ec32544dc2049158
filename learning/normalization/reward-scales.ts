import { STEP_CONTINUES, type Rollout } from '../rollout/rollout-buffer.ts';
import { type CountedMoments, deviationOf, mergedMoments, NO_MOMENTS } from './counted-moments.ts';

// Letters: T steps of a block, B environments, R rows of a step.

/** Simulators whose returns are remembered; the one that was played longest ago is forgotten first. */
const SIMULATORS_MAX = 4096;
/** Rewards that never change must not be divided by zero. */
const DEVIATION_MIN = 1e-2;

/** Keys that are whole numbers would come first in an object, and the order, which sums depend on, would be another. */
const PREFIX = 'simulator.';

/** Where the steps of a block were played. */
export interface PlayedSteps {
  readonly rollout: Rollout;
  /** Shape [T B]: place in `simulators`. */
  readonly played: Int32Array;
  readonly simulators: readonly string[];
}

/**
 * By what the rewards of each simulator are divided: the running deviation of the discounted sum of rewards
 *
 *     G_t = γ·G_{t−1} + r_t,
 *
 * which begins with every episode and every block, over all steps of learners in it.
 *
 * @source the reward scaling of OpenAI baselines' VecNormalize, there over all environments together
 */
export class RewardScales {
  private readonly gamma: number;
  private readonly moments = new Map<string, CountedMoments>();

  constructor(gamma: number) {
    this.gamma = gamma;
  }

  /** One divisor for what cannot be told by simulator: the root of their mean variance; 1 before anything was seen. */
  get common(): number {
    if (this.moments.size === 0) return 1;
    const squares = [...this.moments.values()].reduce((sum, each) => sum + divisorOf(each) ** 2, 0);
    return Math.sqrt(squares / this.moments.size);
  }

  /** Takes a block in. @returns its rewards divided, shape [T R] */
  scaled(block: PlayedSteps): Float32Array {
    const { rollout, played, simulators } = block;
    this.takeIn(block);
    const divisors = simulators.map((name) => divisorOf(this.moments.get(name) ?? NO_MOMENTS));
    const seatCount = rollout.seats.length;
    return rollout.rewards.map((reward, index) => reward / divisors[played[Math.floor(index / seatCount)]!]!);
  }

  /** By simulator: count, mean, sum of squared distances from it; the one that was played longest ago is the first. */
  arrays(): Record<string, Float64Array> {
    return Object.fromEntries(
      [...this.moments].map(([name, { count, mean, squares }]) => [
        PREFIX + name,
        Float64Array.of(count, mean, squares),
      ]),
    );
  }

  load(arrays: Readonly<Record<string, ArrayLike<number> & Iterable<number>>>): void {
    this.moments.clear();
    for (const [name, [count, mean, squares]] of Object.entries(arrays)) {
      this.moments.set(name.slice(PREFIX.length), { count: count!, mean: mean!, squares: squares! });
    }
  }

  private takeIn({ rollout, played, simulators }: PlayedSteps): void {
    const { rewards, learning, ends, rowCount, seats } = rollout;
    const sums = new Float64Array(rowCount);
    const returns: number[][] = simulators.map(() => []);
    for (let index = 0; index < rewards.length; index += 1) {
      const row = index % rowCount;
      if (learning[index] === 1) {
        sums[row] = this.gamma * sums[row]! + rewards[index]!;
        returns[played[Math.floor(index / seats.length)]!]!.push(sums[row]);
      }
      if (ends[index] !== STEP_CONTINUES) sums[row] = 0;
    }
    returns.forEach((values, simulator) => this.merge(simulators[simulator]!, values));
  }

  private merge(name: string, values: readonly number[]): void {
    if (values.length === 0) return;
    const known = this.moments.get(name) ?? NO_MOMENTS;
    this.moments.delete(name);
    this.moments.set(name, mergedMoments(known, values));
    for (const oldest of this.moments.keys()) {
      if (this.moments.size <= SIMULATORS_MAX) return;
      this.moments.delete(oldest);
    }
  }
}

const divisorOf = (moments: CountedMoments): number => Math.max(DEVIATION_MIN, deviationOf(moments));
