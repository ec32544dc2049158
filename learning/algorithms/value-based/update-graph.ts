import type { Expression, Graph } from '../../graph/expression.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { argMax, cast, concat, input, pick, reduceMax, reshape } from '../../graph/operators.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { optimizerStep } from '../../optimization/optimizer.ts';
import { columnOf, type GroupColumns, type TransitionLayout } from '../../replay/transition-layout.ts';
import { legalLogits } from '../exported-policy.ts';
import { valueLoss } from './loss.ts';
import { JOINT_NAME, observationName } from './observed-moments.ts';
import type { JointStates, Objective, ParameterPair, SeatValues } from './objective.ts';
import type { ValueParameters } from './parameters.ts';
import { type GroupNetwork, groupValues, namedParameters, type ValueNetworks } from './value-networks.ts';

// Letters: M transitions of a minibatch, K numbers of a transition, G learning seats of a group, L of all groups, I input
// features, A actions, C numbers that all seats see together, P parameters.

/** What a learner's graphs are made from. */
export interface ValueDesign {
  readonly networks: ValueNetworks;
  readonly transitions: TransitionLayout;
  readonly objective: Objective;
  readonly parameters: ValueParameters;
  /** Names of arrays of the networks, or beginnings of names, that stay as they are. */
  readonly frozen: readonly string[];
}

/** One optimizer step as one graph: forward, targets, loss, backward, clip, step. */
export function valueUpdateGraph(design: ValueDesign): Graph {
  const { networks, transitions: layout, objective, parameters } = design;
  const rowCount = parameters.minibatch_size;
  const flat = input('parameters', [networks.parameterCount]);
  const pair: ParameterPair = {
    newest: namedParameters(networks, flat),
    target: namedParameters(networks, input('target', flat.shape)),
  };
  const packed = input('transitions', [rowCount, layout.width]);
  const groups = layout.groups.map((columns) => seatValues(design, columns, packed, pair));
  const seats = sideBySide(groups);
  const discount = columnOf(packed, layout.discount, [rowCount, 1]);
  const predictions = objective.predictions({ seats, discount, joint: jointStates(design, packed) }, pair);
  const { loss, diagnostics, errors } = valueLoss(predictions, input('weights', [rowCount, 1]), parameters);
  const step = optimizerStep(flat, gradients(loss, [flat])[0]!, networks.layout, {
    kind: parameters.optimizer,
    adamEpsilon: parameters.adam_epsilon,
    momentum: parameters.momentum,
    gradientClip: parameters.gradient_clip,
    frozen: design.frozen,
  });
  const scalars = [...diagnostics, step.norm].map((scalar) => reshape(scalar, [1]));
  return graphFromOutputs({
    ...step.next,
    diagnostics: concat(scalars, 0),
    ...(parameters.replay.prioritized !== null && { errors }),
  });
}

/** Observations as the networks take them. @param x shape [M I] @param name of what is observed */
export function observed(
  x: Expression,
  name: string,
  { observation_normalization: isOn }: ValueParameters,
): Expression {
  if (!isOn) return x;
  const [mean, scale] = ['mean', 'scale'].map((part) => input(`${name}.${part}`, [x.shape[1]!]));
  return normalizedObservations(x, mean!, scale!);
}

function seatValues(
  { networks, parameters }: ValueDesign,
  columns: GroupColumns,
  packed: Expression,
  { newest, target }: ParameterPair,
): SeatValues {
  const group = networks.groups.find(({ policy }) => policy.group === columns.group)!;
  const shape = [packed.shape[0]!, columns.seats.length];
  const rows = shape[0]! * shape[1]!;
  const { inputSize } = group.policy;
  const observations = ([columns.inputs, columns.nextInputs] as const).map((column) =>
    observed(columnOf(packed, column, [rows, inputSize]), observationName(columns.group), parameters),
  );
  const mask = columns.nextMasks && columnOf(packed, columns.nextMasks, [rows, group.actionCount]);
  const actions = cast(columnOf(packed, columns.actions, [rows]), 'int32');
  const next = nextValues(group, { observations: observations[1]!, mask, newest, target }, parameters);
  return {
    chosen: reshape(pick(groupValues(group, newest, observations[0]!), actions), shape),
    next: reshape(next, shape),
    rewards: columnOf(packed, columns.rewards, shape),
    learning: columnOf(packed, columns.learning, shape),
  };
}

/**
 * Worth of the best legal action, [rows]: max_a Q⁻(o, a), or with double Q-learning Q⁻(o, argmax_a Q(o, a)).
 * @source van Hasselt et al. 2016: Deep Reinforcement Learning with Double Q-learning (arXiv 1509.06461), eq. 4
 */
function nextValues(
  group: GroupNetwork,
  { observations, mask, newest, target }: ParameterPair & { observations: Expression; mask: Expression | null },
  { double: isDouble }: ValueParameters,
): Expression {
  const judged = groupValues(group, target, observations);
  if (!isDouble) return reduceMax(legalLogits(judged, mask), [1]);
  return pick(judged, argMax(legalLogits(groupValues(group, newest, observations), mask)));
}

function sideBySide(groups: readonly SeatValues[]): SeatValues {
  const joined = (part: keyof SeatValues): Expression =>
    concat(
      groups.map((group) => group[part]),
      1,
    );
  return {
    chosen: joined('chosen'),
    next: joined('next'),
    rewards: joined('rewards'),
    learning: joined('learning'),
  };
}

function jointStates({ transitions, parameters }: ValueDesign, packed: Expression): JointStates | null {
  const { joint, nextJoint } = transitions;
  if (joint === null || nextJoint === null) return null;
  const [now, next] = [joint, nextJoint].map((column) =>
    observed(columnOf(packed, column, [packed.shape[0]!, column.length]), JOINT_NAME, parameters),
  );
  return { now: now!, next: next! };
}
