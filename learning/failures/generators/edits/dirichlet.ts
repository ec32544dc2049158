import type { RandomStream } from '../../../../simulators/random.ts';

// Letters: A categories, α their weights.

/**
 * Shares drawn from the Dirichlet distribution: independent gamma variates Γ(α_a, 1), divided by their sum. A gamma
 * variate of a whole shape is exactly a sum of so many exponential ones, −ln U each.
 * @param shapes shape [A]: α, whole numbers, at least 1
 * @returns shape [A], sums to 1
 * @source Devroye: Non-Uniform Random Variate Generation (1986), IX.3 and XI.4
 */
export function drawDirichlet(shapes: readonly number[], random: RandomStream): number[] {
  const gammas = shapes.map((shape) => {
    let sum = 0;
    // The logarithm of 1 − u and not of u, which may be 0.
    for (let count = 0; count < shape; count += 1) sum -= Math.log1p(-random.nextUniform());
    return sum;
  });
  const total = gammas.reduce((sum, gamma) => sum + gamma, 0);
  return gammas.map((gamma) => gamma / total);
}
