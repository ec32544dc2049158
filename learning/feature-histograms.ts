import type { Batch, World } from '../simulators/contract.ts';

// Letters: B environments, N seats, F state features, K bins of all features together, H histogram sets.

/** What a histogram set leaves out an environment with. */
export const NOT_COUNTED = -1;

/**
 * Counts which states are visited: for every seat and every state feature of the world a marginal histogram. A value
 * outside of the feature's range falls into the first or last bin, so no visit is lost.
 */
export class FeatureHistograms {
  /** Shape [H N K], the bins of one feature after those of another: visits so far. */
  readonly counts: Int32Array;
  private readonly world: World;
  private readonly binCount: number;
  private readonly values: Float64Array;

  /** @param setCount H, e.g. one set for each simulator @param environmentCount B of the batches to come */
  constructor(world: World, setCount: number, environmentCount: number) {
    this.world = world;
    this.binCount = world.features.reduce((sum, { bins }) => sum + bins, 0);
    this.counts = new Int32Array(setCount * world.seatCount * this.binCount);
    this.values = new Float64Array(environmentCount * world.seatCount * world.features.length);
  }

  /** Counts the states that the environments are in. @param setOf shape [B]: which set each counts to, or NOT_COUNTED */
  add(batch: Batch, setOf: Int32Array): void {
    const { counts, values, binCount } = this;
    const { seatCount, features } = this.world;
    batch.observeFeatures(values);
    let index = 0;
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      const set = setOf[environment]!;
      if (set === NOT_COUNTED) {
        index += seatCount * features.length;
        continue;
      }
      for (let seat = 0; seat < seatCount; seat += 1) {
        let first = (set * seatCount + seat) * binCount;
        for (const { low, high, bins } of features) {
          const place = Math.floor(((values[index]! - low) / (high - low)) * bins);
          counts[first + Math.min(bins - 1, Math.max(0, place))]! += 1;
          first += bins;
          index += 1;
        }
      }
    }
  }

  /** Visits of the given seats together in one set: a histogram for each feature, in the order of the world's. */
  ofSeats(set: number, seats: readonly number[]): number[][] {
    let offset = 0;
    return this.world.features.map(({ bins }) => {
      const first = offset;
      offset += bins;
      return Array.from({ length: bins }, (_, bin) =>
        seats.reduce(
          (sum, seat) => sum + this.counts[(set * this.world.seatCount + seat) * this.binCount + first + bin]!,
          0,
        ),
      );
    });
  }
}
