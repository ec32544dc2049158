import type { ActionSpace } from '../../simulators/contract.ts';
import { legalLogits } from '../algorithms/exported-policy.ts';
import type { Expression } from '../graph/expression.ts';
import {
  add,
  constant,
  divide,
  equal,
  exp,
  log,
  matmul,
  multiply,
  negate,
  reduceMax,
  reduceSum,
  slice,
  square,
  stopGradient,
  subtract,
  where,
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

/**
 * With e = exp(x − max x) and Σ over the actions:  log p(a) = x_a − max x − log Σe,  H = log Σe − Σ e·(x − max x) / Σe, where an
 * illegal action counts 0·(−1e30) = 0.
 *
 * Actions lie along the first axis, rows along the second: to repeat a number of each row over five neighbours took 9.5 µs for
 * 600 rows, over five rows 1.5, and there are six such places in a loss and its gradient.
 *
 * @param logits shape [M A]
 */
function categoricalDensity(logits: Expression): ActionDensity {
  const byAction = exchangedAxes(logits);
  const below = subtract(byAction, stopGradient(reduceMax(byAction, [0], { keepDims: true })));
  const parts = exp(below);
  const total = reduceSum(parts, [0]);
  const logTotal = log(total);
  const numbers = constant(
    Int32Array.from({ length: logits.shape[1]! }, (_, action) => action),
    [logits.shape[1]!, 1],
  );
  return {
    logProbabilities: (actions) => subtract(reduceSum(where(equal(numbers, actions), below, 0), [0]), logTotal),
    entropies: subtract(logTotal, divide(reduceSum(multiply(parts, below), [0]), total)),
  };
}

/** [M A] → [A M], by a product with the unit matrix, which is exact. */
function exchangedAxes(x: Expression): Expression {
  const size = x.shape[1]!;
  const unit = Float32Array.from({ length: size * size }, (_, index) => Number(index % (size + 1) === 0));
  return matmul(constant(unit, [size, size]), x, { transposeRight: true });
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
