// Letters: n rows, M numbers of a row.

/** How numbers of unlike size are brought to mean 0 and standard deviation 1. */
export interface Standardization {
  /** Shape [M]. */
  readonly mean: Float64Array;
  /** Shape [M], above 0. */
  readonly scale: Float64Array;
}

/** Below this a number counts as constant: dividing by its deviation would blow up rounding. */
const DEVIATION_MIN = 1e-9;

/**
 * Mean and population deviation of each column: x̄ = Σᵢ xᵢ / n, s = √(Σᵢ (xᵢ − x̄)² / n). A column that never varies, such
 * as the place of a landmark whose change is asked for, has scale 1: it becomes 0 and stays what it was on the way back.
 * @param rows shape [n M], n ≥ 1
 */
export function standardizationOf(rows: readonly (readonly number[])[]): Standardization {
  const size = rows[0]?.length ?? 0;
  const mean = new Float64Array(size);
  const scale = new Float64Array(size);
  for (const row of rows) row.forEach((value, at) => (mean[at]! += value / rows.length));
  for (const row of rows) row.forEach((value, at) => (scale[at]! += (value - mean[at]!) ** 2 / rows.length));
  for (let at = 0; at < size; at += 1) {
    const deviation = Math.sqrt(scale[at]!);
    scale[at] = deviation < DEVIATION_MIN ? 1 : deviation;
  }
  return { mean, scale };
}
