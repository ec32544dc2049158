import type { Evidence } from '../../strategies/contract.ts';
import { parameterFeatures } from './parameter-features.ts';
import { PREDICTED_SCORES, type PredictedScoreName } from './predicted-score.ts';
import { fitRidge, predictLinear } from './ridge.ts';

/** λ of the ridge regression for every sample. */
const PENALTY_PER_SAMPLE = 0.01;

/** Below this there is less to learn from than there are usual features. */
const SAMPLES_MIN = 64;

/** What a simulator scores, from its compiled parameters, shape [P]. */
export type Predictor = (parameters: Float64Array) => number;

/**
 * Predicts the score of a simulator from its parameters, by ridge regression over the episodes that were played lately:
 * nothing is played for it. Episodes whose target is no finite number, as with a critic that diverges, are left out.
 *
 * @returns null while there are too few episodes
 */
export function fitPredictor(
  { samples, parameters, randomization }: Pick<Evidence, 'samples' | 'parameters' | 'randomization'>,
  score: PredictedScoreName,
): Predictor | null {
  const { target, rank } = PREDICTED_SCORES[score];
  const known = samples.filter((sample) => Number.isFinite(target(sample)));
  if (known.length < SAMPLES_MIN) return null;
  const examples = known.map((sample) => sample.parameters);
  const features = parameterFeatures({ parameters, randomization, examples });
  if (features.size === 0) return null;
  const matrix = new Float64Array(known.length * features.size);
  examples.forEach((example, index) => features.write(example, matrix, index * features.size));
  const model = fitRidge(matrix, Float64Array.from(known, target), PENALTY_PER_SAMPLE * known.length);
  const scratch = new Float64Array(features.size);
  return (vector) => {
    features.write(vector, scratch, 0);
    return rank(predictLinear(model, scratch));
  };
}
