// Letters: m p-values, p₍₁₎ ≤ … ≤ p₍ₘ₎ in ascending order.

/**
 * P-values corrected for being several: with them, the probability of calling any true hypothesis false is at most the
 * level at which each is judged.
 *
 *     corrected p₍ᵢ₎ = max over j ≤ i of min(1, (m − j + 1) · p₍ⱼ₎)
 *
 * @param pValues shape [m], each in [0, 1]
 * @returns shape [m], in the order of the arguments; none is below its own p-value
 * @source Holm: A Simple Sequentially Rejective Multiple Test Procedure (1979)
 */
export function holm(pValues: readonly number[]): number[] {
  const corrected = pValues.map(() => 1);
  const ascending = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  let largest = 0;
  ascending.forEach((index, position) => {
    largest = Math.max(largest, Math.min(1, (pValues.length - position) * pValues[index]!));
    corrected[index] = largest;
  });
  return corrected;
}
