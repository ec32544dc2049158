import type { Batch, World } from '../simulators/contract.ts';

/**
 * Adds up the returns of running episodes. The return of a cooperative family is the sum over all seats, of the others
 * the mean over the learners present.
 */
export class EpisodeReturns {
  /** Shape [B]: return of the running episode so far. */
  readonly returns: Float64Array;
  /** Shape [B]: steps of the running episode so far. */
  readonly lengths: Int32Array;
  private readonly world: World;
  private readonly learners: readonly number[];

  constructor(world: World, learners: readonly number[], environmentCount: number) {
    this.world = world;
    this.learners = learners;
    this.returns = new Float64Array(environmentCount);
    this.lengths = new Int32Array(environmentCount);
  }

  /** Forgets the running episode of one environment. */
  start(environment: number): void {
    this.returns[environment] = 0;
    this.lengths[environment] = 0;
  }

  /** Takes in the rewards of the last step of every environment. */
  add(batch: Batch): void {
    const seatCount = this.world.seatCount;
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      this.lengths[environment]! += 1;
      this.returns[environment]! += this.world.cooperative
        ? sumOfSeats(batch.rewards, environment * seatCount, seatCount)
        : this.meanOfLearners(batch, environment * seatCount);
    }
  }

  private meanOfLearners(batch: Batch, offset: number): number {
    let sum = 0;
    let present = 0;
    for (const seat of this.learners) {
      if (batch.external[offset + seat] !== 1) continue;
      sum += batch.rewards[offset + seat]!;
      present += 1;
    }
    return present === 0 ? NaN : sum / present;
  }
}

function sumOfSeats(rewards: Float64Array, offset: number, seatCount: number): number {
  let sum = 0;
  for (let seat = 0; seat < seatCount; seat += 1) sum += rewards[offset + seat]!;
  return sum;
}
