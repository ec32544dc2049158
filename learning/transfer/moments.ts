import { ThawError } from '../../schemas/errors.ts';
import type { ObservationMoments } from '../normalization/observation-moments.ts';
import type { InitialWeights } from './initial-weights.ts';
import { arrayOf, joinedWeights, type NamedWeights } from './named-weights.ts';

// Letters: I input features, F features of them that are observed.

/** Arrays [I], [I] and [1] of a policy that normalises what it sees; the last is the number of rows the others are of. */
export const OBSERVATION_MEAN = 'observation_mean';
export const OBSERVATION_SCALE = 'observation_scale';
const OBSERVATION_COUNT = 'observation_count';

/** A policy's weights and, behind them, how its observations are shifted and scaled. */
export function weightsWithMoments(weights: NamedWeights, moments: ObservationMoments): NamedWeights {
  const { mean, scale } = moments;
  const { observed } = moments.arrays();
  return joinedWeights(weights, {
    layout: {
      [OBSERVATION_MEAN]: { offset: 0, shape: [mean.length] },
      [OBSERVATION_SCALE]: { offset: mean.length, shape: [mean.length] },
      [OBSERVATION_COUNT]: { offset: 2 * mean.length, shape: [1] },
    },
    values: Float32Array.of(...mean, ...scale, ...observed!),
  });
}

/**
 * Lets a normaliser go on from the moments of the policy whose weights are taken over; without this the same weights would
 * see something else. Moments of other features are left, for so are the weights that read them.
 *
 * @param moments null for a network that takes observations as they are
 * @throws REQUEST_CONFLICT when one of the two normalises and the other does not
 */
export function takeInitialMoments(
  moments: ObservationMoments | null,
  initial: InitialWeights | null | undefined,
): void {
  if (!initial) return;
  const { origin, weights } = initial;
  const isNormalised = Object.hasOwn(weights.layout, OBSERVATION_MEAN);
  if (isNormalised !== (moments !== null)) {
    throw new ThawError(
      'REQUEST_CONFLICT',
      `${origin} was trained ${withOrWithout(isNormalised)} algorithm.observation_normalization, and the network is made ${withOrWithout(!isNormalised)} it`,
      { remedy: `Set algorithm.observation_normalization to ${isNormalised}.` },
    );
  }
  if (moments === null) return;
  const mean = arrayOf(weights, OBSERVATION_MEAN);
  const scale = arrayOf(weights, OBSERVATION_SCALE);
  const [count] = arrayOf(weights, OBSERVATION_COUNT);
  if (mean.length !== moments.mean.length) return;
  const means = Float64Array.from(mean.subarray(0, moments.arrays().means!.length));
  const squares = means.map((_, feature) => count! / scale[feature]! ** 2);
  moments.load({ observed: [count!], means, squares });
}

const withOrWithout = (is: boolean): string => (is ? 'with' : 'without');
