import { mean } from '../statistics/moments.ts';

/** A policy that was evaluated in the course of a run. */
export interface CurvePoint {
  /** Of the run so far. */
  readonly envSteps: number;
  /** E.g. mean return on the test panel. */
  readonly value: number;
}

/**
 * Mean of a curve over env steps, straight between its points.
 *
 *     auc = Σ_k (x_{k+1} − x_k) (y_k + y_{k+1}) / 2 / (x_n − x_1)
 *
 * @param curve x strictly ascending @returns in the unit of y, between its extremes; NaN below two points
 */
export function areaUnderCurve(curve: readonly CurvePoint[]): number {
  let area = 0;
  for (let index = 1; index < curve.length; index += 1) {
    const [from, to] = [curve[index - 1]!, curve[index]!];
    area += (to.envSteps - from.envSteps) * ((from.value + to.value) / 2);
  }
  return curve.length < 2 ? NaN : area / (curve.at(-1)!.envSteps - curve[0]!.envSteps);
}

/**
 * How much a curve zigzags: mean |y_{k+1} − 2 y_k + y_{k−1}| / (max y − min y).
 *
 * Differences are taken between the evaluated points as they are. Where these are unequally far apart, as the last may
 * be, a bend counts as a difference although the curve is straight; curves are comparable when their points are.
 *
 * @returns 0 for a straight or a constant curve, at most 2; NaN below three points
 */
export function roughness(curve: readonly CurvePoint[]): number {
  if (curve.length < 3) return NaN;
  const values = curve.map(({ value }) => value);
  const range = Math.max(...values) - Math.min(...values);
  if (range === 0) return 0;
  const bends = values.slice(2).map((next, index) => Math.abs(next - 2 * values[index + 1]! + values[index]!));
  return mean(bends) / range;
}

/**
 * Env steps after which a curve reaches a value for the first time, straight between its points.
 * @param curve x strictly ascending @returns null where it never does
 */
export function stepsToThreshold(curve: readonly CurvePoint[], threshold: number): number | null {
  const index = curve.findIndex(({ value }) => value >= threshold);
  if (index < 0) return null;
  const to = curve[index]!;
  const from = curve[index - 1];
  // A point before that is no number says nothing of when between them it was reached.
  if (from === undefined || Number.isNaN(from.value)) return to.envSteps;
  return from.envSteps + ((to.envSteps - from.envSteps) * (threshold - from.value)) / (to.value - from.value);
}
