import { type Expression, isOperator } from '../graph/expression.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import {
  add,
  argMax,
  clip,
  constant,
  greater,
  input,
  multiply,
  oneHot,
  slice,
  subtract,
  where,
} from '../graph/operators.ts';
import { actionHead } from '../rollout/action-head.ts';
import type { NamedWeights } from '../transfer/named-weights.ts';
import type { PolicyGraph } from '../transfer/policy-graph.ts';
import type { PolicyDescription } from './contract.ts';

export type { PolicyGraph };

// Letters: R rows, I input features, O outputs, A actions, D numbers of a box, H numbers of a memory.

/** Stands for −∞ in graphs: softmax makes exactly 0 of it, and products with 0 stay finite. */
export const ILLEGAL_LOGIT = -1e30;

/** @param logits shape [R A] @param mask shape [R A], float32: 1 legal, 0 not; null where all actions always are legal */
export function legalLogits(logits: Expression, mask: Expression | null): Expression {
  return mask === null ? logits : where(greater(mask, 0.5), logits, ILLEGAL_LOGIT);
}

/** What a policy makes of rows. */
export interface PolicyOutputs {
  /** Shape [R O], see `actionHead`; before illegal actions are taken out. */
  readonly outputs: Expression;
  /** Shape [R H]; null without a memory. */
  readonly memory: Expression | null;
  /** Whether outputs are what actions are worth, of which the best legal one is taken for certain. */
  readonly areWorths?: boolean;
}

/**
 * The graph of a policy that leaves the house, for one row. Everything it needs is inside.
 *
 *     observations [1 I]     what a seat sees, then the one-hot of its place where seats share the network
 *     action_mask  [1 A]     1 legal, 0 not; only where actions can be illegal
 *     memory       [1 H]     0 at the start of an episode, then the last `memory_next`; only for policies with a memory
 *     → logits     [1 A]     of discrete actions, unnormalised log probabilities
 *     → action, mean, log_std [1 D] of a box: the most probable action as the world takes it; the distribution over the
 *       numbers scaled to [−1, 1]
 *     → memory_next [1 H]
 *
 * @param apply the policy with its weights inside, as an expression
 * @param weights those inside, see `constantsFrom`: its own alone, so that no more leaves the house than acting needs
 */
export function exportedPolicyGraph(
  policy: PolicyDescription,
  apply: (observations: Expression, memory: Expression | null) => PolicyOutputs,
  weights: NamedWeights,
): PolicyGraph {
  return { ...graphFromOutputs(exportedOutputs(policy, apply)), weights };
}

function exportedOutputs(
  policy: PolicyDescription,
  apply: (observations: Expression, memory: Expression | null) => PolicyOutputs,
): Record<string, Expression> {
  const { inputSize, memorySize, isMasked, actions } = policy;
  const { outputSize } = actionHead(actions);
  const memory = memorySize > 0 ? input('memory', [1, memorySize]) : null;
  const made = apply(input('observations', [1, inputSize]), memory);
  const next = made.memory === null ? {} : { memory_next: made.memory };
  if (actions.kind === 'discrete') {
    const mask = isMasked ? input('action_mask', [1, outputSize]) : null;
    const legal = legalLogits(made.outputs, mask);
    return { logits: made.areWorths === true ? certainBest(legal) : legal, ...next };
  }
  const [mean, logStd] = halvesOf(made.outputs);
  const halfRange = constant(actions.high.map((high, index) => (high - actions.low[index]!) / 2));
  const middle = constant(actions.high.map((high, index) => (high + actions.low[index]!) / 2));
  const action = add(multiply(clip(mean, -1, 1), halfRange), middle);
  return { action, mean, log_std: logStd, ...next };
}

/** Logits of the largest entry of each row alone, of equals the first. @param worths shape [R A] */
function certainBest(worths: Expression): Expression {
  return multiply(subtract(oneHot(argMax(worths), worths.shape[1]!), 1), -ILLEGAL_LOGIT);
}

/** Means and logarithms of deviations [R D] each; those that are the same for all rows become values of each row. */
function halvesOf(outputs: Expression): readonly [mean: Expression, logDeviation: Expression] {
  const size = outputs.shape[1]! / 2;
  const [mean, deviation] = isOperator(outputs, 'concat') ? outputs.inputs : [];
  if (mean?.shape[1] === size && deviation?.op === 'constant') return [mean, add(multiply(mean, 0), deviation)];
  return [slice(outputs, 1, 0, size), slice(outputs, 1, size, 2 * size)];
}
