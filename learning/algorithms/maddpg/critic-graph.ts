import type { Expression, Graph } from '../../graph/expression.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import {
  abs,
  add,
  concat,
  divide,
  input,
  maximum,
  multiply,
  reduceSum,
  reshape,
  square,
  stopGradient,
  subtract,
} from '../../graph/operators.ts';
import { type OptimizerOptions, optimizerStep } from '../../optimization/optimizer.ts';
import { criticValues } from './critics.ts';
import type { LearningGroup } from './learning-group.ts';
import { Minibatch, type MinibatchOptions } from './minibatch.ts';
import { drawnAction } from './straight-through.ts';

// Letters: M transitions, K learners of a group, A numbers of an action, U of the actions of all learners, P parameters.

export interface UpdateOptions extends MinibatchOptions {
  readonly optimizer: OptimizerOptions;
  readonly targetTau: number;
}

/** What the graph of a critic says of a step, in this order; sums over all present learners' samples, each by its share. */
export const CRITIC_DIAGNOSTICS = [
  'loss',
  'values',
  'targets',
  'squaredTargets',
  'errors',
  'squaredErrors',
  'norm',
] as const;

/**
 * One optimizer step of the critics of a group, and of their targets:
 *
 *     y_k = r_k + γ Q̄_k(x′, a′),   a′ drawn from the target actors of all learners
 *     loss = mean over transitions and present learners of (Q_k(x, a) − y_k)² / 2
 *
 * @source Lowe et al. 2017 (arXiv 1706.02275), eq. 6
 */
export function criticGraph(group: LearningGroup, options: UpdateOptions): Graph {
  const { optimizer, targetTau } = options;
  const minibatch = new Minibatch(options);
  const flat = input('parameters', [group.critics.parameterCount]);
  const target = input('target', flat.shape);
  const targets = stopGradient(valueTargets(group, minibatch, options, target));
  const { loss, values, errors, shares } = criticLoss(group, minibatch, options, { flat, targets });
  const { next, norm } = optimizerStep(flat, gradients(loss, [flat])[0]!, group.critics.layout, {
    ...optimizer,
    frozen: [],
  });
  const sums = [values, targets, square(targets), errors, square(errors)].map((each) => weighted(each, shares));
  return graphFromOutputs({
    ...next,
    target_next: moved(target, next['parameters_next']!, targetTau),
    errors: reduceSum(multiply(abs(errors), minibatch.learning(group)), [1]),
    diagnostics: concatScalars([loss, ...sums, norm]),
  });
}

/** @param given.targets shape [M K] */
export function criticLoss(
  group: LearningGroup,
  minibatch: Minibatch,
  { groups }: Pick<UpdateOptions, 'groups'>,
  { flat, targets }: { readonly flat: Expression; readonly targets: Expression },
) {
  const values = criticValues(group.critics, flat, {
    joint: minibatch.joint('now'),
    actions: minibatch.allActions(groups.map((each) => minibatch.actions(each))),
    changes: null,
  });
  const errors = subtract(values, targets);
  const shares = learnerShares(minibatch, group);
  return { loss: multiply(weighted(square(errors), shares), 0.5), values, errors, shares };
}

/** y, shape [M K]. */
export function valueTargets(
  group: LearningGroup,
  minibatch: Minibatch,
  { groups, rowCount }: Pick<UpdateOptions, 'groups' | 'rowCount'>,
  target: Expression,
): Expression {
  const actions = groups.map((each) => {
    const { group: index } = each.policy;
    const { places, actor } = each;
    const uniforms = () => input(`uniforms.${index}`, [rowCount * places.length, actor.actionSize]);
    const flat = input(`target_actor.${index}`, [actor.parameterCount]);
    const act = (logits: Expression): Expression => drawnAction(logits, uniforms());
    return minibatch.actorActions(each, flat, 'next', act).actions;
  });
  const next = { joint: minibatch.joint('next'), actions: minibatch.allActions(actions), changes: null };
  const followed = criticValues(group.critics, target, next);
  return add(minibatch.rewards(group), multiply(minibatch.discount(), followed));
}

/** Shape [M K]: of a present learner's sample its part in a mean over all of them, of an absent one's 0. */
export function learnerShares(minibatch: Minibatch, group: LearningGroup): Expression {
  const learning = minibatch.learning(group);
  const weights = reshape(minibatch.weights, [learning.shape[0]!, 1]);
  const share = divide(learning.shape[0]!, maximum(reduceSum(learning), 1));
  return multiply(multiply(learning, weights), share);
}

/** Σ values · shares, a scalar. */
export function weighted(values: Expression, shares: Expression): Expression {
  return reduceSum(multiply(values, shares));
}

/** A share of the way from a target network's parameters to the newest ones, [P]. */
export function moved(target: Expression, newest: Expression, share: number): Expression {
  return add(target, multiply(subtract(newest, target), share));
}

export function concatScalars(scalars: readonly Expression[]): Expression {
  return concat(
    scalars.map((scalar) => reshape(scalar, [1])),
    0,
  );
}
