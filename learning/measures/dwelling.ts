import type { Batch, World } from '../../simulators/contract.ts';

// Letters: B environments, N seats, F state features, C cells of a position.

/** Bins of one feature of a position. */
interface Axis {
  readonly feature: number;
  readonly low: number;
  readonly binsPerUnit: number;
  readonly bins: number;
  /** Cells from one bin to the next. */
  readonly stride: number;
}

/**
 * Counts in which cell of its own position a seat is. Cells are the product grid of the bins of the world's
 * `positionFeatures`; a position outside of their ranges counts to the cell at the border.
 */
export class Dwelling {
  private readonly world: World;
  private readonly axes: readonly Axis[];
  /** C */
  private readonly cellCount: number;
  /** Shape [B N C]: steps. */
  private readonly counts: Int32Array;
  private readonly values: Float64Array;

  constructor(world: World, environmentCount: number) {
    this.world = world;
    let stride = 1;
    this.axes = world.positionFeatures.map((name): Axis => {
      const feature = world.features.findIndex((entry) => entry.name === name);
      const { low, high, bins } = world.features[feature]!;
      const axis = { feature, low, binsPerUnit: bins / (high - low), bins, stride };
      stride *= bins;
      return axis;
    });
    this.cellCount = stride;
    this.counts = new Int32Array(environmentCount * world.seatCount * this.cellCount);
    this.values = new Float64Array(environmentCount * world.seatCount * world.features.length);
  }

  /** Counts the states that the environments are in. Those that are not running count nothing. */
  add(batch: Batch, isRunning: (environment: number) => boolean): void {
    const { seatCount, features } = this.world;
    batch.observeFeatures(this.values);
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      if (!isRunning(environment)) continue;
      for (let seat = 0; seat < seatCount; seat += 1) {
        const place = environment * seatCount + seat;
        this.counts[place * this.cellCount + this.cellAt(place * features.length)]! += 1;
      }
    }
  }

  /**
   * The share of an episode's steps that a seat spent in the cell where it was most: 1 for one that never left it.
   * @returns in (0, 1]; NaN where the world does not tell where a seat is
   */
  of(environment: number, seat: number): number {
    if (this.axes.length === 0) return NaN;
    const first = (environment * this.world.seatCount + seat) * this.cellCount;
    const counts = this.counts.subarray(first, first + this.cellCount);
    return Math.max(...counts) / counts.reduce((sum, count) => sum + count, 0);
  }

  private cellAt(offset: number): number {
    let cell = 0;
    for (const { feature, low, binsPerUnit, bins, stride } of this.axes) {
      const bin = Math.floor((this.values[offset + feature]! - low) * binsPerUnit);
      cell += stride * Math.min(bins - 1, Math.max(0, bin));
    }
    return cell;
  }
}
