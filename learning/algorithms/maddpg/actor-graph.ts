import type { Expression, Graph } from '../../graph/expression.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import {
  add,
  concat,
  constant,
  exp,
  input,
  logSoftmax,
  multiply,
  negate,
  reduceMean,
  reduceSum,
  reshape,
  square,
  subtract,
} from '../../graph/operators.ts';
import { optimizerStep } from '../../optimization/optimizer.ts';
import { concatScalars, learnerShares, moved, type UpdateOptions, weighted } from './critic-graph.ts';
import { criticValues } from './critics.ts';
import type { LearningGroup } from './learning-group.ts';
import { Minibatch } from './minibatch.ts';
import { straightThroughAction } from './straight-through.ts';

// Letters: M transitions, K learners of a group, A numbers of an action, U of the actions of all learners, P parameters.

/** What the graph of an actor says of a step, in this order. */
export const ACTOR_DIAGNOSTICS = ['loss', 'entropy', 'norm'] as const;

export interface ActorUpdateOptions extends UpdateOptions {
  readonly temperature: number;
  /** Weight of the mean square of the outputs. */
  readonly regularization: number;
}

/**
 * One optimizer step of the actor of a group, and of its target:
 *
 *     loss = mean over transitions and present learners of −Q_k(x, a_1 … μ_k(o_k) … a_U) + regularization
 *
 * where the others do what they did, and the learner's own action is drawn by straight-through Gumbel-softmax, or is
 * that of the actor where actions are numbers.
 *
 * @source Lowe et al. 2017 (arXiv 1706.02275), eq. 5
 */
export function actorGraph(group: LearningGroup, options: ActorUpdateOptions): Graph {
  const minibatch = new Minibatch(options);
  const flat = input('parameters', [group.actor.parameterCount]);
  const target = input('target', flat.shape);
  const { policyLoss, regularizer, entropy } = actorLosses(group, minibatch, options, flat);
  const loss = add(policyLoss, multiply(regularizer, options.regularization));
  const { next, norm } = optimizerStep(flat, gradients(loss, [flat])[0]!, group.actor.layout, options.optimizer);
  return graphFromOutputs({
    ...next,
    target_next: moved(target, next['parameters_next']!, options.targetTau),
    diagnostics: concatScalars([policyLoss, entropy, norm]),
  });
}

export function actorLosses(
  group: LearningGroup,
  minibatch: Minibatch,
  { groups, rowCount, temperature }: Pick<ActorUpdateOptions, 'groups' | 'rowCount' | 'temperature'>,
  flat: Expression,
): { policyLoss: Expression; regularizer: Expression; entropy: Expression } {
  const { places, actor } = group;
  const rows = rowCount * places.length;
  const act = (logits: Expression): Expression =>
    straightThroughAction(logits, input('uniforms', [rows, actor.actionSize]), temperature);
  const { outputs, legal, actions } = minibatch.actorActions(group, flat, 'now', act);
  const recorded = groups.map((each) => minibatch.actions(each));
  const own = recorded[groups.indexOf(group)]!;
  const values = criticValues(group.critics, input('critics', [group.critics.parameterCount]), {
    joint: minibatch.joint('now'),
    actions: minibatch.allActions(recorded),
    changes: { values: aloneChanged(subtract(actions, own)), offset: group.actionsOffset },
  });
  const shares = learnerShares(minibatch, group);
  const perSample = (x: Expression): Expression => reshape(x, [rowCount, places.length]);
  const isDiscrete = group.policy.actions.kind === 'discrete';
  return {
    policyLoss: negate(weighted(values, shares)),
    regularizer: weighted(perSample(reduceMean(square(outputs), [1])), shares),
    entropy: isDiscrete ? weighted(perSample(entropyOf(legal)), shares) : constant(0),
  };
}

/**
 * Each learner acts otherwise alone: its difference stands among zeros for the others of the group.
 * @param difference of every learner's own action, shape [M K A] @returns shape [M K K·A]
 */
function aloneChanged(difference: Expression): Expression {
  const [, learners, size] = difference.shape as readonly [number, number, number];
  const repeated = concat(new Array<Expression>(learners).fill(difference), 2);
  const isOwn = Float32Array.from({ length: learners * learners * size }, (_, at) =>
    Math.floor(at / (learners * size)) === Math.floor(at / size) % learners ? 1 : 0,
  );
  return multiply(repeated, constant(isOwn, [1, learners, learners * size]));
}

/** Of softmax(logits), in nats. @param logits shape [M A] @returns shape [M] */
function entropyOf(logits: Expression): Expression {
  const logProbabilities = logSoftmax(logits);
  return negate(reduceSum(multiply(exp(logProbabilities), logProbabilities), [1]));
}
