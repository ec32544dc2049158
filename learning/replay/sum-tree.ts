/**
 * Numbers ≥ 0 with their sums over pairs, over pairs of pairs and so on, so that drawing in proportion to them takes a
 * logarithm of their count. Every sum is that of its two halves as they are now: equal numbers give equal sums, whatever
 * was written before.
 */
export class SumTree {
  private readonly leafCount: number;
  /** The root at 1, the children of i at 2i and 2i + 1, the leaves from `leafCount` on. */
  private readonly sums: Float64Array;

  /** @param count numbers, all 0 at first */
  constructor(count: number) {
    this.leafCount = 2 ** Math.ceil(Math.log2(Math.max(1, count)));
    this.sums = new Float64Array(2 * this.leafCount);
  }

  get total(): number {
    return this.sums[1]!;
  }

  at(index: number): number {
    return this.sums[this.leafCount + index]!;
  }

  /** Rounded to float32, so that numbers are the same after they were stored. */
  set(index: number, value: number): void {
    let node = this.leafCount + index;
    this.sums[node] = Math.fround(value);
    for (node >>= 1; node >= 1; node >>= 1) this.sums[node] = this.sums[2 * node]! + this.sums[2 * node + 1]!;
  }

  /** Replaces all numbers at once. @param values the first ones, rounded to float32; the others become 0 */
  fill(values: ArrayLike<number>): void {
    const { sums, leafCount } = this;
    sums.fill(0);
    for (let index = 0; index < values.length; index += 1) sums[leafCount + index] = Math.fround(values[index]!);
    for (let node = leafCount - 1; node >= 1; node -= 1) sums[node] = sums[2 * node]! + sums[2 * node + 1]!;
  }

  /**
   * The index i with Σ_{j<i} ≤ mass < Σ_{j≤i}, up to rounding: never one whose number is 0 while others are not.
   * @param mass 0 … total
   */
  find(mass: number): number {
    let node = 1;
    let rest = mass;
    while (node < this.leafCount) {
      const left = this.sums[2 * node]!;
      const isLeft = rest < left || this.sums[2 * node + 1] === 0;
      if (!isLeft) rest -= left;
      node = isLeft ? 2 * node : 2 * node + 1;
    }
    return node - this.leafCount;
  }
}
