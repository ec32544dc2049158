/** Lanczos' coefficients for g = 7 and nine terms, as Godfrey gives them. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;
const LANCZOS_G = 7;
const TERMS_MAX = 10_000;
const PRECISION = 1e-16;
/** Stands for a 0 that would be divided by. */
const TINY = 1e-300;

/**
 * Probability that Student's t is at least as far from 0: I_x(ν/2, ½) with x = ν / (ν + t²), I the regularised incomplete beta
 * function.
 *
 * @param freedom ν, positive, not necessarily whole
 * @source Abramowitz, Stegun: Handbook of Mathematical Functions (1964), 26.7.1 and 26.5.27
 */
export function studentTwoSided(t: number, freedom: number): number {
  const x = freedom / (freedom + t * t);
  // The other tail, where x is so near 1 that what is left of it has lost its digits.
  const rest = (t * t) / (freedom + t * t);
  return regularizedBeta({ x, rest, a: freedom / 2, b: 0.5 });
}

interface BetaArguments {
  readonly x: number;
  /** 1 − x, without the digits that the difference loses. */
  readonly rest: number;
  readonly a: number;
  readonly b: number;
}

/** I_x(a, b). The fraction converges quickly for x below (a + 1)/(a + b + 2), and I_x(a, b) = 1 − I_{1−x}(b, a). */
function regularizedBeta({ x, rest, a, b }: BetaArguments): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const factor = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest));
  return x < (a + 1) / (a + b + 2) ? (factor * betaFraction(x, a, b)) / a : 1 - (factor * betaFraction(rest, b, a)) / b;
}

/**
 * The continued fraction of the incomplete beta function, from its front.
 * @source Abramowitz, Stegun, 26.5.8; Lentz: Generating Bessel Functions in Mie Scattering Calculations Using Continued
 * Fractions (1976)
 */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let term = 1; term <= TERMS_MAX; term += 1) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= c * d;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= c * d;
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** ln Γ(x) for x ≥ ½. */
function logGamma(x: number): number {
  const shifted = x - 1;
  const sum = LANCZOS.reduce(
    (total, coefficient, index) => (index === 0 ? coefficient : total + coefficient / (shifted + index)),
    0,
  );
  const base = shifted + LANCZOS_G + 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}
