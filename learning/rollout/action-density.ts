import type { ActionSpace } from '../../simulators/contract.ts';
import { legalLogits } from '../algorithms/exported-policy.ts';
import type { Expression } from '../graph/expression.ts';
import {
  add,
  exp,
  logSoftmax,
  multiply,
  negate,
  pick,
  reduceSum,
  slice,
  square,
  subtract,
} from '../graph/operators.ts';

// Letters: M rows, O outputs of a policy for one row, A actions of a discrete space, D numbers of a box.

/** The same distributions as those of `actionHead`, as expressions that gradients are formed of. */
export interface ActionDensity {
  /** Log probabilities (densities) [M], in nats. @param actions as they were drawn: [M] int32 of A, or [M D] of a box */
  logProbabilities(actions: Expression): Expression;
  /** Entropies [M], in nats. */
  readonly entropies: Expression;
}

/**
 * @param outputs shape [M O], before illegal actions are taken out
 * @param mask shape [M A]: 1 where an action is legal, 0 not; null where all always are
 */
export function actionDensity(space: ActionSpace, outputs: Expression, mask: Expression | null): ActionDensity {
  return space.kind === 'discrete' ? categoricalDensity(legalLogits(outputs, mask)) : gaussianDensity(outputs);
}

/** H = −Σ p·log p, where an illegal action counts 0·(−1e30) = 0. @param logits shape [M A] */
function categoricalDensity(logits: Expression): ActionDensity {
  const logarithms = logSoftmax(logits);
  return {
    logProbabilities: (actions) => pick(logarithms, actions),
    entropies: negate(reduceSum(multiply(exp(logarithms), logarithms), [1])),
  };
}

const LOG_TWO_PI = Math.log(2 * Math.PI);

/**
 * Independent normal distributions:  log p = −Σ ½((u − μ)/σ)² + log σ + ½·log 2π,  H = Σ log σ + ½·log 2πe.
 *
 * @param outputs shape [M 2D]: means μ, then log σ
 */
function gaussianDensity(outputs: Expression): ActionDensity {
  const size = outputs.shape[1]! / 2;
  const mean = slice(outputs, 1, 0, size);
  const logDeviation = slice(outputs, 1, size, 2 * size);
  return {
    logProbabilities: (actions) => {
      const distance = multiply(subtract(actions, mean), exp(negate(logDeviation)));
      const exponents = add(multiply(square(distance), 0.5), logDeviation);
      return negate(add(reduceSum(exponents, [1]), (size * LOG_TWO_PI) / 2));
    },
    entropies: add(reduceSum(logDeviation, [1]), (size * (LOG_TWO_PI + 1)) / 2),
  };
}
