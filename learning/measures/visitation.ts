import { jensenShannon } from '../distances/divergences.ts';
import { mean } from '../statistics/moments.ts';

// Letters: F state features, K bins of one of them.

/** Visits of the learners' seats, shape [F][K]: for each state feature, in the order of the world's, its histogram. */
export type Visitation = readonly (readonly number[])[];

export interface WeightedVisitation {
  /** Relative to those of the other simulators. */
  readonly weight: number;
  readonly visitation: Visitation;
}

/**
 * How differently the learners move on a simulator than on the simulators they train on: the Jensen–Shannon divergence
 * between the visited states of the one and of the mixture of the others by their weights, mean over state features.
 *
 * @param train at least one simulator @returns in [0, 1]; NaN when no learner was ever present
 * @source ours, of the divergence of Lin (1991)
 */
export function visitationDivergence(train: readonly WeightedVisitation[], heldOut: Visitation): number {
  return mean(heldOut.map((counts, feature) => jensenShannon(mixture(train, feature), counts)));
}

/** Each simulator counts by its weight, however many states were visited in it. */
function mixture(simulators: readonly WeightedVisitation[], feature: number): number[] {
  const weighted = simulators.map(({ weight, visitation }) => {
    const counts = visitation[feature]!;
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.map((count) => (weight * count) / total);
  });
  return weighted[0]!.map((_, bin) => weighted.reduce((sum, shares) => sum + shares[bin]!, 0));
}
