import type { World } from '../../simulators/contract.ts';
import { policyDifference } from './action-distribution.ts';
import type { LearnerRows } from '../rollout/playing-group.ts';

// Letters: B environments.

/**
 * Measures how little a policy heeds the others: 1 − the mean total variation between π(·|o) and π(·|o′), where o′ is o
 * with the entries of the parts marked `ofOthers` taken from another episode at the same step. 1 for a policy that acts as
 * if it were alone.
 *
 * @source ours
 */
export class Indifference {
  private readonly world: World;
  private sum = 0;
  private count = 0;

  constructor(world: World) {
    this.world = world;
  }

  /**
   * Compares one step, with a second forward pass, which overwrites the inputs and logits of the first.
   * @param others shape [B]: the environment to take the others from, −1 for none: then the row is left out
   * @param learnersOf by environment, the seats to compare
   */
  async add(
    acted: LearnerRows,
    others: Int32Array,
    learnersOf: (environment: number) => readonly number[],
  ): Promise<void> {
    const { actor, seats, actions } = acted;
    const logits = actor.logits.slice();
    // What would be remembered of the exchange did not happen.
    const remembered = actor.memory?.next.slice();
    this.exchangeOthers(acted, others);
    await acted.forward();
    if (remembered !== undefined) actor.memory!.next.set(remembered);
    for (const [environment, other] of others.entries()) {
      if (other < 0) continue;
      const learners = learnersOf(environment);
      for (const [index, seat] of seats.entries()) {
        if (!learners.includes(seat)) continue;
        this.sum += policyDifference(logits, actor.logits, environment * seats.length + index, actions);
        this.count += 1;
      }
    }
  }

  /** In [0, 1]; NaN where nothing could be compared. */
  get value(): number {
    return 1 - this.sum / this.count;
  }

  private exchangeOthers({ group, seats, inputSize, actor }: LearnerRows, others: Int32Array): void {
    const { inputs } = actor;
    const originals = inputs.slice();
    // An input row begins with the observation; the one-hot that may follow says who the seat itself is.
    const parts = this.world.groups[group]!.observation.filter(({ ofOthers }) => ofOthers);
    for (const [environment, other] of others.entries()) {
      if (other < 0) continue;
      for (let index = 0; index < seats.length; index += 1) {
        const target = (environment * seats.length + index) * inputSize;
        const source = (other * seats.length + index) * inputSize;
        for (const { offset, length } of parts) {
          inputs.set(originals.subarray(source + offset, source + offset + length), target + offset);
        }
      }
    }
  }
}
