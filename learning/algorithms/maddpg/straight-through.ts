import type { Expression } from '../../graph/expression.ts';
import { add, argMax, divide, log, negate, oneHot, softmax, stopGradient, subtract } from '../../graph/operators.ts';

// Letters: M rows, A actions.

/** A 1 at the largest score of each row, of equals at the first; 0 elsewhere. No gradient passes. Shapes [M A]. */
export function bestAsOneHot(scores: Expression): Expression {
  return oneHot(argMax(scores), scores.shape[1]!);
}

/**
 * An action drawn from softmax(logits) as a one-hot, through which a gradient passes as if it were the soft action:
 *
 *     s = softmax((logits + g) / t),   g = −log(−log u),   action = onehot(argmax s),   ∂action := ∂s
 *
 * @param logits shape [M A] @param uniforms u, shape [M A], inside of (0, 1)
 * @param temperature t > 0: the lower, the steeper the soft action and the noisier the gradient
 * @returns shape [M A]
 * @source Jang et al. 2017 (arXiv 1611.01144), section 2.2
 */
export function straightThroughAction(logits: Expression, uniforms: Expression, temperature: number): Expression {
  const scores = add(logits, gumbelNoise(uniforms));
  const soft = softmax(divide(scores, temperature));
  // In this order the soft action leaves exactly 0 behind.
  return add(stopGradient(bestAsOneHot(scores)), subtract(soft, stopGradient(soft)));
}

/** An action drawn from softmax(logits) as a one-hot, for a target: no gradient passes. */
export function drawnAction(logits: Expression, uniforms: Expression): Expression {
  return bestAsOneHot(add(logits, gumbelNoise(uniforms)));
}

function gumbelNoise(uniforms: Expression): Expression {
  return negate(log(negate(log(uniforms))));
}
