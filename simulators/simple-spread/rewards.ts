import type { Judge } from '../mpe/batch.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';

/** A landmark is covered when an agent is nearer than this (length). @source MPE2's Scenario.CAPTURE_RADIUS */
export const COVERED_DISTANCE = 0.1;

/**
 * Rewards after a step. With D the sum over landmarks of the distance to the nearest agent and C the number of agents
 * that an agent touches (nearer than 2 · agent_size):
 *
 *     reward = −coverage · D · (1 − local_ratio) − collision · C · local_ratio
 *
 * Success is the state in which every landmark is covered.
 *
 * @source mpe2/simple_spread/simple_spread.py: Scenario.global_reward, Scenario.reward; SimpleEnv._execute_world_step
 */
export class SpreadJudge implements Judge {
  private readonly state: State;
  private readonly localRatio: Float64Array;
  private readonly coverage: Float64Array;
  private readonly collision: Float64Array;
  private readonly agentSize: Float64Array;
  /** Shape [N]: agents touched by each agent of the environment being judged. */
  private readonly touched: Int32Array;

  constructor(state: State, columns: ParameterColumns) {
    this.state = state;
    this.localRatio = columns.column('rewards.local_ratio');
    this.coverage = columns.column('rewards.coverage');
    this.collision = columns.column('rewards.collision');
    this.agentSize = columns.column('rules.agent_size');
    this.touched = new Int32Array(state.seatCount);
  }

  judge(rewards: Float64Array, success: Uint8Array): void {
    const { environmentCount, seatCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const localRatio = this.localRatio[environment]!;
      const collision = this.collision[environment]!;
      const shared = -this.uncovered(environment, success) * this.coverage[environment]! * (1 - localRatio);
      this.countTouched(environment);
      for (let seat = 0; seat < seatCount; seat += 1) {
        rewards[environment * seatCount + seat] = shared - this.touched[seat]! * collision * localRatio;
      }
    }
  }

  begin(environment: number, success: Uint8Array): void {
    this.uncovered(environment, success);
  }

  /** Nothing: whether the landmarks are covered can be seen. */
  told(): Readonly<Record<string, never>> {
    return {};
  }

  /** D of one environment; notes on the way whether all landmarks are covered. */
  private uncovered(environment: number, success: Uint8Array): number {
    const { seatCount, x, y, landmarkX, landmarkY } = this.state;
    const first = environment * seatCount;
    const end = first + seatCount;
    let sum = 0;
    let allCovered = 1;
    for (let landmark = first; landmark < end; landmark += 1) {
      const atX = landmarkX[landmark]!;
      const atY = landmarkY[landmark]!;
      let nearestSquared = Infinity;
      for (let agent = first; agent < end; agent += 1) {
        const deltaX = x[agent]! - atX;
        const deltaY = y[agent]! - atY;
        const squared = deltaX * deltaX + deltaY * deltaY;
        if (squared < nearestSquared) nearestSquared = squared;
      }
      // The root of the least square is the least root, to the last bit, because rounding keeps order.
      const nearest = Math.sqrt(nearestSquared);
      sum += nearest;
      if (nearest >= COVERED_DISTANCE) allCovered = 0;
    }
    success[environment] = allCovered;
    return sum;
  }

  private countTouched(environment: number): void {
    const { seatCount, x, y } = this.state;
    const { touched } = this;
    const touching = this.agentSize[environment]! + this.agentSize[environment]!;
    const first = environment * seatCount;
    touched.fill(0);
    for (let one = 0; one < seatCount; one += 1) {
      for (let other = one + 1; other < seatCount; other += 1) {
        const deltaX = x[first + one]! - x[first + other]!;
        const deltaY = y[first + one]! - y[first + other]!;
        if (Math.sqrt(deltaX * deltaX + deltaY * deltaY) < touching) {
          touched[one]! += 1;
          touched[other]! += 1;
        }
      }
    }
  }
}
