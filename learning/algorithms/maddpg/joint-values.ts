import type { Expression } from '../../graph/expression.ts';
import {
  add,
  broadcastTo,
  concat,
  constant,
  input,
  matmul,
  multiply,
  reduceSum,
  reshape,
  slice,
  subtract,
} from '../../graph/operators.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { legalLogits } from '../exported-policy.ts';
import { actorOutputs, boxAction } from './actor-network.ts';
import { criticValues } from './critics.ts';
import type { LearningGroup } from './learning-group.ts';
import { bestAsOneHot } from './straight-through.ts';

// Letters: B environments, D driven seats of a group in each, R = B·D rows, I input features, G seats of a group, K learners
// of it, A numbers of an action, C numbers that all seats see together.

/** A forward pass that also asks for values. */
export interface ValuedPass {
  readonly group: LearningGroup;
  readonly groups: readonly LearningGroup[];
  /** B */
  readonly environmentCount: number;
  /** Rows as they are given, shape [R I]. */
  readonly inputs: Expression;
  /** Shape [R A]; null where all actions always are legal. */
  readonly masks: Expression | null;
  readonly isNormalized: boolean;
}

/**
 * What the critics expect when every learner does what it holds for best: Q_k(joint, μ_1(o_1) … μ_U(o_U)) of each row's
 * seat, 0 of seats that do not learn. The observations of all learners are those inside of the joint one.
 *
 * Which actions of others are legal is known only of seats that have a row here; other learners may do anything.
 *
 * @returns shape [R]
 */
export function jointValues(pass: ValuedPass): Expression {
  const { group, groups, environmentCount, inputs } = pass;
  const joint = input('joint', [environmentCount, group.critics.shape.jointSize]);
  const actions = groups.map((each) => {
    const best = bestActions(each, joint, pass);
    return reshape(best, [environmentCount, each.places.length * each.actor.actionSize]);
  });
  const seen = normalized(joint, 'joint', pass);
  const critics = input('critics', [group.critics.parameterCount]);
  const values = criticValues(group.critics, critics, { joint: seen, actions: concat(actions, 1), changes: null });
  const rowsOf = inputs.shape[0]! / environmentCount;
  const learner = learnerOfRows(pass);
  if (learner === null) {
    return reshape(broadcastTo(slice(values, 1, 0, 1), [environmentCount, rowsOf]), [inputs.shape[0]!]);
  }
  const ofRow = multiply(learner, reshape(values, [environmentCount, 1, group.places.length]));
  return reshape(reduceSum(ofRow, [2]), [inputs.shape[0]!]);
}

/** What the learners of a group do at best, shape [B K A]. */
function bestActions(each: LearningGroup, joint: Expression, pass: ValuedPass): Expression {
  const { places, policy, actor, jointOffset } = each;
  const { environmentCount } = pass;
  const rows = environmentCount * places.length;
  const size = policy.inputSize - policy.identitySize;
  const observed = places.map((place) => slice(joint, 1, jointOffset + place * size, jointOffset + (place + 1) * size));
  const parts = observed.map((own, index) => withIdentity(own, policy.identitySize, places[index]!));
  const x = reshape(concat(parts, 1), [rows, policy.inputSize]);
  const flat = input(`actor.${policy.group}`, [actor.parameterCount]);
  const outputs = actorOutputs(actor, flat, normalized(x, String(policy.group), pass));
  const masks = each === pass.group ? masksOfLearners(pass) : null;
  const best = policy.actions.kind === 'box' ? boxAction(outputs) : bestAsOneHot(legalLogits(outputs, masks));
  return reshape(best, [environmentCount, places.length, actor.actionSize]);
}

/** @param own shape [B O] @returns shape [B I] */
function withIdentity(own: Expression, identitySize: number, place: number): Expression {
  if (identitySize === 0) return own;
  const identity = constant(Array.from({ length: identitySize }, (_, other) => (other === place ? 1 : 0)));
  return concat([own, broadcastTo(identity, [own.shape[0]!, identitySize])], 1);
}

/** Shape [B D K]: 1 where a row is that of a learner; null where rows do not tell whose they are. */
function learnerOfRows({ group, inputs, environmentCount }: ValuedPass): Expression | null {
  const { policy, places } = group;
  if (policy.identitySize === 0) return null;
  const rowsOf = inputs.shape[0]! / environmentCount;
  const first = policy.inputSize - policy.identitySize;
  const columns = places.map((place) => slice(inputs, 1, first + place, first + place + 1));
  return reshape(concat(columns, 1), [environmentCount, rowsOf, places.length]);
}

/** Which actions the learners of the rows' group may do, shape [B·K A]: 1 for those without a row. */
function masksOfLearners(pass: ValuedPass): Expression | null {
  const { group, masks, environmentCount } = pass;
  if (masks === null) return null;
  const { places, actor } = group;
  const learner = learnerOfRows(pass);
  const rowsOf = masks.shape[0]! / environmentCount;
  if (learner === null) return rowsOf === 1 && places.length === 1 ? masks : null;
  const told = reshape(reduceSum(learner, [1]), [environmentCount, places.length, 1]);
  const legal = matmul(learner, reshape(masks, [environmentCount, rowsOf, actor.actionSize]), { transposeLeft: true });
  return reshape(add(legal, subtract(1, told)), [environmentCount * places.length, actor.actionSize]);
}

function normalized(x: Expression, name: string, { isNormalized }: ValuedPass): Expression {
  if (!isNormalized) return x;
  const size = [x.shape.at(-1)!];
  return normalizedObservations(x, input(`${name}_mean`, size), input(`${name}_scale`, size));
}
