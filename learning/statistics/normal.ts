const TERMS_MAX = 1_000;
const PRECISION = 1e-17;
/** Below it the series needs fewer terms than the fraction. */
const SERIES_MAX = 2;

/**
 * Probability that a standard normal number is at least as far from 0: erfc(|z|/√2).
 *
 * @source Abramowitz, Stegun: Handbook of Mathematical Functions (1964), 26.2.11 and 26.2.14
 */
export function normalTwoSided(z: number): number {
  const distance = Math.abs(z);
  const density = Math.exp(-0.5 * distance * distance) / Math.sqrt(2 * Math.PI);
  return distance < SERIES_MAX ? 1 - 2 * density * centralSeries(distance) : 2 * density * tailFraction(distance);
}

/** z + z³/3 + z⁵/(3·5) + … */
function centralSeries(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; odd < TERMS_MAX && term > PRECISION * sum; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

/** 1/(z + 1/(z + 2/(z + 3/(z + …)))), from its end. */
function tailFraction(z: number): number {
  let tail = z;
  for (let numerator = TERMS_MAX; numerator >= 1; numerator -= 1) tail = z + numerator / tail;
  return 1 / tail;
}
