/** Arithmetic mean; NaN of nothing, where a value is NaN, and where infinite values of both signs are among them. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index]!;
  return sum / values.length;
}

/** Standard deviation with n − 1; NaN below two values, and where a value is NaN or infinite. */
export function sampleStandardDeviation(values: readonly number[]): number {
  if (values.length < 2) return NaN;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
