import type { Expression } from '../../graph/expression.ts';
import {
  abs,
  add,
  clip,
  concat,
  exp,
  greater,
  matmul,
  maximum,
  minimum,
  multiply,
  negate,
  reshape,
  slice,
  square,
  stopGradient,
  subtract,
  where,
} from '../../graph/operators.ts';

// Letters: M samples of a minibatch.

export interface ProximalLossInputs {
  /** [M]: log probability of the action now */
  readonly logProbabilities: Expression;
  /** [M] */
  readonly entropies: Expression;
  /** [M], normalised */
  readonly values: Expression;
  /** [M]: log probability of the action when it was taken */
  readonly oldLogProbabilities: Expression;
  /** [M] */
  readonly advantages: Expression;
  /** [M], normalised like `values` */
  readonly valueTargets: Expression;
  /** [M]: values when the actions were taken, normalised like `values`; read only where values are clipped */
  readonly oldValues: Expression | null;
  /** [M]: share of each sample in every mean; they sum to 1, and 0 marks padding */
  readonly weights: Expression;
  /** Scalar; where it never moves better a constant, which is multiplied into others beforehand. */
  readonly entropyCoefficient: Expression;
}

export interface ProximalLossSettings {
  readonly clip: number;
  readonly valueCoefficient: number;
  /** Null: values are not clipped. */
  readonly valueClip: number | null;
}

/** Names of the diagnostics, in the order of `ProximalLoss.diagnostics`. */
export const LOSS_DIAGNOSTICS = ['policy_loss', 'value_loss', 'entropy', 'approximate_kl', 'clip_fraction'] as const;

export interface ProximalLoss {
  /** Scalar. */
  readonly loss: Expression;
  /** One number for each of `LOSS_DIAGNOSTICS`. */
  readonly diagnostics: Expression;
}

/**
 * The clipped surrogate with an entropy bonus and a squared value error:
 *
 *     ρ = π(a|o) / π_old(a|o)
 *     loss = Σ w · ( −min(ρ·A, clip(ρ, 1−ε, 1+ε)·A) − c_H·H(π(·|o)) + c_V·L_V )
 *     L_V = ½(V − V*)²;  with a clip of values, ½max((V − V*)², (V_old + clip(V − V_old, ±ε_V) − V*)²)
 *
 * @source Schulman et al.: Proximal Policy Optimization Algorithms, eq. 7 and 9; the divergence estimate
 *   (ρ − 1) − log ρ: Schulman, Approximating KL Divergence; the clip of values: OpenAI baselines, PPO2
 */
export function proximalLoss(inputs: ProximalLossInputs, settings: ProximalLossSettings): ProximalLoss {
  const { logProbabilities, entropies, oldLogProbabilities, advantages, weights, entropyCoefficient } = inputs;
  const logRatio = subtract(logProbabilities, oldLogProbabilities);
  const ratio = exp(logRatio);
  // Where this is the smaller one its gradient is 0: the ratio is beyond its limits.
  const clipped = stopGradient(multiply(clip(ratio, 1 - settings.clip, 1 + settings.clip), advantages));
  const excess = subtract(ratio, 1);
  const means = weightedMeans(weights, [
    negate(minimum(multiply(ratio, advantages), clipped)),
    multiply(valueErrors(inputs, settings.valueClip), 0.5),
    entropies,
    stopGradient(subtract(excess, logRatio)),
    stopGradient(where(greater(abs(excess), settings.clip), 1, 0)),
  ]);
  const [policyLoss, valueLoss, entropy] = [0, 1, 2].map((place) => slice(means, 0, place, place + 1));
  const loss = add(
    subtract(policyLoss!, multiply(entropy!, entropyCoefficient)),
    multiply(valueLoss!, settings.valueCoefficient),
  );
  return { loss: reshape(loss, []), diagnostics: means };
}

/**
 * Means of several vectors [M] under one weight, [their number]: one product of a matrix, where a product and a sum for
 * each took 10 µs more.
 */
function weightedMeans(weights: Expression, vectors: readonly Expression[]): Expression {
  const [size] = weights.shape;
  const rows = concat(
    vectors.map((vector) => reshape(vector, [1, size!])),
    0,
  );
  return reshape(matmul(rows, reshape(weights, [size!, 1])), [vectors.length]);
}

/** Squared, [M]. */
function valueErrors(
  { values, valueTargets, oldValues }: Pick<ProximalLossInputs, 'values' | 'valueTargets' | 'oldValues'>,
  valueClip: number | null,
): Expression {
  const errors = square(subtract(values, valueTargets));
  if (valueClip === null || oldValues === null) return errors;
  const near = add(oldValues, clip(subtract(values, oldValues), -valueClip, valueClip));
  return maximum(errors, square(subtract(near, valueTargets)));
}
