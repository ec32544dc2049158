import { INTERVAL_VALUES_MIN } from './bootstrap.ts';
import { normalTwoSided } from './normal.ts';

// Letters: n differences that are not 0, rᵢ the rank of |dᵢ| (equal ones share the mean of their ranks),
// W the sum of the ranks of positive differences.

/** Up to so many differences all 2ⁿ choices of signs are counted, which takes n³ steps; above, W is taken as normal. */
const EXACT_MAX = 100;

/**
 * Two-sided p-value of Wilcoxon's signed rank test of paired differences: that each is as likely as its negative. Differences of
 * 0 say nothing and are left out. Up to 100 others it is exact, equal ones included:
 *
 *     p = min(1, 2 · min(P(W ≤ w), P(W ≥ w)))   over all 2ⁿ choices of signs
 *
 * Above that, W is taken as normal with the variance Σ rᵢ² / 4, without a correction for continuity.
 *
 * @returns in (0, 1], 1 where no difference is other than 0; null below five pairs and where a difference is NaN. An infinite
 * difference has the highest rank.
 * @source Wilcoxon: Individual Comparisons by Ranking Methods (1945)
 */
export function wilcoxonPValue(differences: readonly number[]): number | null {
  if (differences.length < INTERVAL_VALUES_MIN || differences.some(Number.isNaN)) return null;
  const others = differences.filter((difference) => difference !== 0);
  if (others.length === 0) return 1;
  const doubled = doubledRanks(others.map(Math.abs));
  let doubledW = 0;
  others.forEach((difference, index) => {
    if (difference > 0) doubledW += doubled[index]!;
  });
  return others.length <= EXACT_MAX ? exactPValue(doubled, doubledW) : normalPValue(doubled, doubledW);
}

/** Twice the rank of each value from 1 on; whole, because a shared rank ends in ½ at most. */
function doubledRanks(values: readonly number[]): number[] {
  const order = values
    .map((_, index) => index)
    .sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0));
  const ranks = values.map(() => 0);
  for (let first = 0; first < order.length;) {
    let end = first + 1;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end += 1;
    // The mean of the ranks first + 1 … end, twice.
    for (let place = first; place < end; place += 1) ranks[order[place]!] = first + 1 + end;
    first = end;
  }
  return ranks;
}

/** Counts the choices of signs by the sum they give, rank by rank; their shares, because 2ⁿ of them are too many to count. */
function exactPValue(doubled: readonly number[], doubledW: number): number {
  const most = doubled.reduce((sum, rank) => sum + rank, 0);
  const shares = new Float64Array(most + 1);
  shares[0] = 1;
  for (const rank of doubled) {
    for (let sum = most; sum >= 0; sum -= 1) {
      shares[sum] = (shares[sum]! + (sum >= rank ? shares[sum - rank]! : 0)) / 2;
    }
  }
  const below = total(shares.subarray(0, doubledW + 1));
  const above = total(shares.subarray(doubledW));
  return Math.min(1, 2 * Math.min(below, above));
}

function total(shares: Float64Array): number {
  return shares.reduce((sum, share) => sum + share, 0);
}

function normalPValue(doubled: readonly number[], doubledW: number): number {
  const sum = doubled.reduce((before, rank) => before + rank, 0);
  const squares = doubled.reduce((before, rank) => before + rank * rank, 0);
  // Of the doubled ranks: mean Σ/2, variance Σ²/4.
  return normalTwoSided((doubledW - sum / 2) / Math.sqrt(squares / 4));
}
