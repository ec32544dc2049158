import type { Expression } from '../../graph/expression.ts';
import { layoutSize } from '../../graph/parameters.ts';
import { normalizedObservations, type ObservationMoments } from '../../normalization/observation-moments.ts';
import { OBSERVATION_MEAN, OBSERVATION_SCALE, weightsWithMoments } from '../../transfer/moments.ts';
import { constantsFrom } from '../../transfer/named-weights.ts';
import { exportedPolicyGraph, type PolicyGraph } from '../exported-policy.ts';
import type { GroupNetwork } from './value-networks.ts';

// Letters: P parameters of all groups.

/**
 * A group's policy alone, with its weights inside. It takes the best legal action for certain, also where somebody draws
 * from what it calls logits.
 *
 * @param flat shape [P] @param moments null where observations are taken as they are
 */
export function exportedValues(
  { policy, network, layout, offset }: GroupNetwork,
  flat: Float32Array,
  moments: ObservationMoments | null,
): PolicyGraph {
  const own = { layout, values: flat.slice(offset, offset + layoutSize(layout)) };
  const weights = moments === null ? own : weightsWithMoments(own, moments);
  const constants = constantsFrom(weights);
  const apply = (observations: Expression) => {
    const x =
      moments === null
        ? observations
        : normalizedObservations(observations, constants[OBSERVATION_MEAN]!, constants[OBSERVATION_SCALE]!);
    return { outputs: network.apply(x, constants, null).outputs, memory: null, areWorths: true };
  };
  return exportedPolicyGraph(policy, apply, weights);
}
