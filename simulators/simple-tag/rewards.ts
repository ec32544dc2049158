import type { Judge } from '../mpe/batch.ts';
import type { Start } from '../mpe/simulator-data.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import type { Seating } from './parameters.ts';

/**
 * What MPE2 charges a prey for one coordinate outside the square: nothing up to 0.9, then a ramp up to 1 at 1, then an
 * exponential up to 10.
 * @param coordinate absolute value (length)
 */
function boundaryCost(coordinate: number): number {
  if (coordinate < 0.9) return 0;
  if (coordinate < 1) return (coordinate - 0.9) * 10;
  return Math.min(Math.exp(2 * coordinate - 2), 10);
}

/** A start of simple_tag also tells whether the episode has seen a catch. */
export interface TagStart extends Start {
  readonly caught: boolean;
}

/**
 * Rewards after a step. An adversary and a prey touch when they are nearer than the sum of their sizes. With T the
 * number of touches in the whole world and d distances:
 *
 *     adversary:  catch · T − shaping · Σ over adversaries of d to the nearest prey
 *     prey:       shaping · Σ over adversaries of d − catch · (adversaries that touch it)
 *                 − boundary · (cost of |x| + cost of |y|)
 *
 * Success is at least one touch in the episode so far; once 1 it stays.
 *
 * @source mpe2/simple_tag/simple_tag.py: Scenario.adversary_reward, Scenario.agent_reward
 */
export class TagJudge implements Judge {
  private readonly state: State;
  private readonly adversaryCount: number;
  private readonly catchReward: Float64Array;
  private readonly boundary: Float64Array;
  private readonly shaping: Float64Array;
  private readonly adversarySize: Float64Array;
  private readonly preySize: Float64Array;
  /** Shape [N]: distance of each adversary of the environment being judged to its nearest prey. */
  private readonly nearestPrey: Float64Array;

  constructor(state: State, columns: ParameterColumns, { adversaryCount }: Seating) {
    this.state = state;
    this.adversaryCount = adversaryCount;
    this.catchReward = columns.column('rewards.catch');
    this.boundary = columns.column('rewards.boundary');
    this.shaping = columns.column('rewards.shaping');
    this.adversarySize = columns.column('rules.adversary_size');
    this.preySize = columns.column('rules.prey_size');
    this.nearestPrey = new Float64Array(adversaryCount);
  }

  judge(rewards: Float64Array, success: Uint8Array): void {
    const { environmentCount, seatCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const first = environment * seatCount;
      this.nearestPrey.fill(Infinity);
      let touches = 0;
      for (let prey = first + this.adversaryCount; prey < first + seatCount; prey += 1) {
        touches += this.judgePrey(environment, prey, rewards);
      }
      const reward = this.catchReward[environment]! * touches - this.shaping[environment]! * this.sumOfNearest();
      for (let adversary = 0; adversary < this.adversaryCount; adversary += 1) rewards[first + adversary] = reward;
      if (touches > 0) success[environment] = 1;
    }
  }

  begin(environment: number, success: Uint8Array, start?: Start): void {
    success[environment] = start !== undefined && (start as TagStart).caught ? 1 : 0;
  }

  told(environment: number, success: Uint8Array): Readonly<{ caught: boolean }> {
    return { caught: success[environment] === 1 };
  }

  /** Writes the reward of one prey. @returns the number of adversaries that touch it */
  private judgePrey(environment: number, prey: number, rewards: Float64Array): number {
    const { seatCount, x, y } = this.state;
    const { nearestPrey } = this;
    const first = environment * seatCount;
    const touching = this.preySize[environment]! + this.adversarySize[environment]!;
    let touches = 0;
    let distances = 0;
    for (let adversary = 0; adversary < this.adversaryCount; adversary += 1) {
      const deltaX = x[prey]! - x[first + adversary]!;
      const deltaY = y[prey]! - y[first + adversary]!;
      const distance = Math.sqrt(deltaX * deltaX + deltaY * deltaY);
      distances += distance;
      if (distance < touching) touches += 1;
      if (distance < nearestPrey[adversary]!) nearestPrey[adversary] = distance;
    }
    const boundary = this.boundary[environment]!;
    let reward = this.shaping[environment]! * distances - this.catchReward[environment]! * touches;
    reward -= boundary * boundaryCost(Math.abs(x[prey]!));
    reward -= boundary * boundaryCost(Math.abs(y[prey]!));
    rewards[prey] = reward;
    return touches;
  }

  private sumOfNearest(): number {
    let sum = 0;
    for (let adversary = 0; adversary < this.adversaryCount; adversary += 1) sum += this.nearestPrey[adversary]!;
    return sum;
  }
}
