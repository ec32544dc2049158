import type { Expression } from '../graph/expression.ts';
import { clip, multiply, subtract } from '../graph/operators.ts';

// Letters: M rows, I input features, F features of them that are observed (the one-hot of a seat is not).

/** Observations further from the mean than so many deviations are taken for so far. */
const LIMIT = 10;
const VARIANCE_MIN = 1e-8;

/** Moments of what was observed, over all rows so far (Chan et al.'s parallel sums, so that blocks may differ in size). */
export class ObservationMoments {
  /** Shape [I]: 0 and 1 for features that are not normalised. */
  readonly mean: Float32Array;
  readonly scale: Float32Array;
  private readonly observedSize: number;
  private count = 0;
  private readonly means: Float64Array;
  /** Sums of squared distances from the mean. */
  private readonly squares: Float64Array;

  /** @param inputSize I @param observedSize F: the first features of a row */
  constructor(inputSize: number, observedSize: number) {
    this.observedSize = observedSize;
    this.mean = new Float32Array(inputSize);
    this.scale = new Float32Array(inputSize).fill(1);
    this.means = new Float64Array(observedSize);
    this.squares = new Float64Array(observedSize);
  }

  /** Takes in rows of a block. @param inputs shape [rows I] @param rows indices of those that count */
  add(inputs: Float32Array, rows: Int32Array): void {
    if (rows.length === 0) return;
    const inputSize = this.mean.length;
    for (let feature = 0; feature < this.observedSize; feature += 1) {
      let sum = 0;
      for (const row of rows) sum += inputs[row * inputSize + feature]!;
      const mean = sum / rows.length;
      let squares = 0;
      for (const row of rows) squares += (inputs[row * inputSize + feature]! - mean) ** 2;
      this.merge(feature, rows.length, mean, squares);
    }
    this.count += rows.length;
    this.refresh();
  }

  /** Shapes [1], [F], [F]. */
  arrays(): Readonly<Record<string, Float64Array>> {
    return { observed: Float64Array.of(this.count), means: this.means.slice(), squares: this.squares.slice() };
  }

  load({ observed, means, squares }: Readonly<Record<string, ArrayLike<number>>>): void {
    this.count = observed![0]!;
    this.means.set(means!);
    this.squares.set(squares!);
    this.refresh();
  }

  private merge(feature: number, count: number, mean: number, squares: number): void {
    const total = this.count + count;
    const distance = mean - this.means[feature]!;
    this.means[feature]! += (distance * count) / total;
    this.squares[feature]! += squares + (distance * distance * this.count * count) / total;
  }

  private refresh(): void {
    for (let feature = 0; feature < this.observedSize; feature += 1) {
      this.mean[feature] = this.means[feature]!;
      const variance = this.count === 0 ? 1 : this.squares[feature]! / this.count;
      this.scale[feature] = 1 / Math.sqrt(Math.max(VARIANCE_MIN, variance));
    }
  }
}

/** clip((x − mean)·scale, ±10). @param x shape [M I] @param mean shape [I] @param scale shape [I] */
export function normalizedObservations(x: Expression, mean: Expression, scale: Expression): Expression {
  return clip(multiply(subtract(x, mean), scale), -LIMIT, LIMIT);
}
