import type { Batch, World } from '../../simulators/contract.ts';

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
  private readonly learners: (readonly number[])[];

  constructor(world: World, environmentCount: number) {
    this.world = world;
    this.learners = Array.from({ length: environmentCount }, () => []);
    this.returns = new Float64Array(environmentCount);
    this.lengths = new Int32Array(environmentCount);
  }

  /** Begins an episode in one environment. @param learners seats of the learners that are present in it */
  start(environment: number, learners: readonly number[]): void {
    this.learners[environment] = learners;
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
        : meanOfSeats(batch.rewards, environment * seatCount, this.learners[environment]!);
    }
  }
}

/** Mean over the given seats of an environment whose entries begin at `offset`; NaN for no seat. */
export function meanOfSeats(rewards: Float64Array, offset: number, seats: readonly number[]): number {
  let sum = 0;
  for (const seat of seats) sum += rewards[offset + seat]!;
  return sum / seats.length;
}

function sumOfSeats(rewards: Float64Array, offset: number, seatCount: number): number {
  let sum = 0;
  for (let seat = 0; seat < seatCount; seat += 1) sum += rewards[offset + seat]!;
  return sum;
}
