import type { Expression } from '../graph/expression.ts';
import {
  abs,
  add,
  clip,
  exp,
  greater,
  logSoftmax,
  minimum,
  multiply,
  negate,
  pick,
  reduceSum,
  square,
  subtract,
  where,
} from '../graph/operators.ts';

// Letters: M samples of a minibatch, A actions.

export interface PpoLossInputs {
  /** [M A] */
  readonly logits: Expression;
  /** [M], normalised */
  readonly values: Expression;
  /** [M], int32 */
  readonly actions: Expression;
  /** [M]: log probability of the action when it was taken */
  readonly oldLogProbabilities: Expression;
  /** [M] */
  readonly advantages: Expression;
  /** [M], normalised like `values` */
  readonly valueTargets: Expression;
  /** [M]: share of each sample in every mean; they sum to 1, and 0 marks padding */
  readonly weights: Expression;
}

export interface PpoLossSettings {
  readonly clip: number;
  readonly entropyCoefficient: number;
  readonly valueCoefficient: number;
}

/** Names of the diagnostics, in the order of `PpoLoss.diagnostics`. */
export const PPO_DIAGNOSTICS = ['policy_loss', 'value_loss', 'entropy', 'approximate_kl', 'clip_fraction'] as const;

export interface PpoLoss {
  /** Scalar. */
  readonly loss: Expression;
  /** Scalars: see `PPO_DIAGNOSTICS`. */
  readonly diagnostics: readonly Expression[];
}

/**
 * The clipped surrogate with an entropy bonus and a squared value error:
 *
 *     ρ = π(a|o) / π_old(a|o)
 *     loss = Σ w · ( −min(ρ·A, clip(ρ, 1−ε, 1+ε)·A) − c_H·H(π(·|o)) + c_V·½(V − V*)² )
 *
 * @source Schulman et al.: Proximal Policy Optimization Algorithms, eq. 7 and 9; the divergence estimate
 *   (ρ − 1) − log ρ: Schulman, Approximating KL Divergence
 */
export function ppoLoss(inputs: PpoLossInputs, settings: PpoLossSettings): PpoLoss {
  const { logits, values, actions, oldLogProbabilities, advantages, valueTargets, weights } = inputs;
  const weightedSum = (x: Expression): Expression => reduceSum(multiply(weights, x));
  const logProbabilities = logSoftmax(logits);
  const logRatio = subtract(pick(logProbabilities, actions), oldLogProbabilities);
  const ratio = exp(logRatio);
  const clipped = clip(ratio, 1 - settings.clip, 1 + settings.clip);
  const surrogate = minimum(multiply(ratio, advantages), multiply(clipped, advantages));
  const policyLoss = negate(weightedSum(surrogate));
  const entropy = negate(weightedSum(reduceSum(multiply(exp(logProbabilities), logProbabilities), [1])));
  const valueLoss = multiply(weightedSum(square(subtract(values, valueTargets))), 0.5);
  const loss = add(
    subtract(policyLoss, multiply(entropy, settings.entropyCoefficient)),
    multiply(valueLoss, settings.valueCoefficient),
  );
  const excess = subtract(ratio, 1);
  return {
    loss,
    diagnostics: [
      policyLoss,
      valueLoss,
      entropy,
      weightedSum(subtract(excess, logRatio)),
      weightedSum(where(greater(abs(excess), settings.clip), 1, 0)),
    ],
  };
}
