import type { Batch, World } from '../../simulators/contract.ts';

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
  /** Shape [F]: of each feature the start of its range, bins per unit, index of its last bin, and bins before its own. */
  private readonly lows: Float64Array;
  private readonly scales: Float64Array;
  private readonly lastBins: Float64Array;
  private readonly offsets: Float64Array;

  /** @param setCount H, e.g. one set for each simulator @param environmentCount B of the batches to come */
  constructor(world: World, setCount: number, environmentCount: number) {
    this.world = world;
    this.binCount = world.features.reduce((sum, { bins }) => sum + bins, 0);
    this.counts = new Int32Array(setCount * world.seatCount * this.binCount);
    this.values = new Float64Array(environmentCount * world.seatCount * world.features.length);
    this.lows = Float64Array.from(world.features, ({ low }) => low);
    this.scales = Float64Array.from(world.features, ({ low, high, bins }) => bins / (high - low));
    this.lastBins = Float64Array.from(world.features, ({ bins }) => bins - 1);
    this.offsets = Float64Array.from(world.features, (_, feature) =>
      world.features.slice(0, feature).reduce((sum, { bins }) => sum + bins, 0),
    );
  }

  /** Counts the states that the environments are in. @param setOf shape [B]: which set each counts to, or NOT_COUNTED */
  add(batch: Batch, setOf: Int32Array): void {
    const { counts, values, binCount, lows, scales, lastBins, offsets } = this;
    const { seatCount } = this.world;
    const featureCount = lows.length;
    batch.observeFeatures(values);
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      const set = setOf[environment]!;
      if (set === NOT_COUNTED) continue;
      for (let seat = 0; seat < seatCount; seat += 1) {
        const first = (set * seatCount + seat) * binCount;
        const at = (environment * seatCount + seat) * featureCount;
        for (let feature = 0; feature < featureCount; feature += 1) {
          const place = Math.floor((values[at + feature]! - lows[feature]!) * scales[feature]!);
          counts[first + offsets[feature]! + Math.min(lastBins[feature]!, Math.max(0, place))]! += 1;
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
