import type { Expression } from '../../graph/expression.ts';
import { abs, add, divide, minimum, multiply, reduceSum, square, subtract } from '../../graph/operators.ts';
import type { Predictions } from './objective.ts';
import type { ValueParameters } from './parameters.ts';

// Letters: M transitions, E errors of a transition.

/** Names of the diagnostics, in the order of `ValueLoss.diagnostics`; all but the first are plain means. */
export const VALUE_DIAGNOSTICS = ['loss', 'predicted', 'target', 'squared_target', 'error', 'squared_error'] as const;

export interface ValueLoss {
  /** Scalar. */
  readonly loss: Expression;
  /** Scalars: see `VALUE_DIAGNOSTICS`. */
  readonly diagnostics: readonly Expression[];
  /** [M]: mean over a transition's errors |δ| that count. */
  readonly errors: Expression;
}

/**
 * Temporal-difference errors δ = predicted − target, mean over those that count:
 *
 *     loss = Σ w_m c_{me} ℓ(δ_{me}) · M / Σ c,   ℓ(δ) = δ²/2, or of Huber's |δ| − ½ beyond |δ| = 1
 *
 * @param weights w, shape [M 1]: shares of transitions, 1/M or less
 * @source Mnih et al. 2015: Human-level control through deep reinforcement learning, where errors are clipped alike
 */
export function valueLoss(
  { predicted, targets, counts }: Predictions,
  weights: Expression,
  { loss: kind }: Pick<ValueParameters, 'loss'>,
): ValueLoss {
  const rowCount = predicted.shape[0]!;
  const error = subtract(predicted, targets);
  const size = abs(error);
  const bounded = minimum(size, 1);
  const cost =
    kind === 'huber' ? multiply(bounded, subtract(size, multiply(bounded, 0.5))) : multiply(square(error), 0.5);
  const share = divide(counts, reduceSum(counts));
  const mean = (x: Expression): Expression => reduceSum(multiply(share, x));
  const loss = mean(multiply(multiply(weights, rowCount), cost));
  const ofRow = divide(reduceSum(multiply(counts, size), [1]), add(reduceSum(counts, [1]), 1e-6));
  const means = [predicted, targets, square(targets), error, square(error)].map(mean);
  return { loss, diagnostics: [loss, ...means], errors: ofRow };
}
