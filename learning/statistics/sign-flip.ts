import { INTERVAL_VALUES_MIN } from './bootstrap.ts';

// Letters: n pairs.

/** Beyond so many pairs the 2ⁿ flips are not gone through. */
const PAIRS_MAX = 20;
/** Sums of the same numbers in other signs may differ in their last bits, and count as equal. */
const TOLERANCE = 1e-12;

/**
 * Exact two-sided p-value of paired differences under the hypothesis that each is as likely as its negative: the share of
 * all 2ⁿ choices of signs with which their sum is as far from 0 as it is.
 *
 *     p = #{ s ∈ {−1, 1}ⁿ : |Σ sᵢ·dᵢ| ≥ |Σ dᵢ| } / 2ⁿ
 *
 * It is at least 2^(1−n), because all signs reversed give the same distance.
 *
 * @param differences shape [n]
 * @returns in (0, 1]; null below five pairs and above twenty, and where a difference is not a number
 * @source Fisher: The Design of Experiments (1935), section 21
 */
export function signFlipPValue(differences: readonly number[]): number | null {
  const count = differences.length;
  if (count < INTERVAL_VALUES_MIN || count > PAIRS_MAX || differences.some(Number.isNaN)) return null;
  const scale = differences.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0)) - TOLERANCE * scale;
  let extreme = 0;
  for (let signs = 0; signs < 2 ** count; signs += 1) {
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      sum += (signs & (1 << index)) === 0 ? differences[index]! : -differences[index]!;
    }
    if (Math.abs(sum) >= observed) extreme += 1;
  }
  return extreme / 2 ** count;
}
