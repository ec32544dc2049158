import type { RandomStream } from '../../../simulators/random.ts';
import type { Expression, Shape } from '../../graph/expression.ts';
import {
  initializePerceptron,
  multiLayerPerceptron,
  orthogonalMatrix,
  type Perceptron,
  perceptronShapes,
} from '../../graph/layers.ts';
import { add, broadcastTo, concat, matmul, relu, reshape, slice, tanh } from '../../graph/operators.ts';
import { layoutFromShapes, layoutSize, type ParameterLayout, parametersFromFlat } from '../../graph/parameters.ts';

// Letters: M rows, C numbers that all seats see together, U numbers of the actions of all learners, K learners of a
// group, H units of the first layer, P parameters.

export interface CriticsShape {
  /** C */
  readonly jointSize: number;
  /** U */
  readonly actionsSize: number;
  /** K */
  readonly learnerCount: number;
  /** shared: one for all learners of the group; identified: told who asks; separate: one each. */
  readonly kind: 'shared' | 'identified' | 'separate';
  readonly hiddenSizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
}

/** Of one group: what the state and everybody's actions are worth to each of its learners. */
export interface Critics {
  readonly shape: CriticsShape;
  readonly layout: ParameterLayout;
  /** P */
  readonly parameterCount: number;
  readonly networks: readonly CriticNetwork[];
}

interface CriticNetwork {
  /** Prefix of its parameters' names. */
  readonly name: string;
  /** Learners that it serves, next to each other. */
  readonly learnerCount: number;
  readonly isIdentified: boolean;
  /** All layers but the first. */
  readonly rest: Perceptron;
}

export function createCritics(shape: CriticsShape): Critics {
  const { kind, learnerCount, hiddenSizes, activation } = shape;
  const create = (name: string, count: number): CriticNetwork => ({
    name,
    learnerCount: count,
    isIdentified: kind === 'identified',
    rest: { name: `${name}.rest`, sizes: [...hiddenSizes, 1], activation },
  });
  const networks =
    kind === 'separate'
      ? Array.from({ length: learnerCount }, (_, learner) => create(`critic.learner${learner}`, 1))
      : [create('critic', learnerCount)];
  const layout = layoutFromShapes(
    Object.assign({}, ...networks.map((network) => shapesOf(network, shape))) as Record<string, Shape>,
  );
  return { shape, layout, parameterCount: layoutSize(layout), networks };
}

/**
 * The first layer is W·[joint, actions] + b, and a row of `identity` more for each learner: the product, which is most
 * of its work, is the same for all learners of a group.
 */
function shapesOf(
  { name, learnerCount, isIdentified, rest }: CriticNetwork,
  { jointSize, actionsSize, hiddenSizes }: CriticsShape,
): Record<string, Shape> {
  const units = hiddenSizes[0]!;
  return {
    [`${name}.first.weight`]: [jointSize + actionsSize, units],
    [`${name}.first.bias`]: [units],
    ...(isIdentified && { [`${name}.first.identity`]: [learnerCount, units] }),
    ...perceptronShapes(rest),
  };
}

/** Orthogonal weights, gain √2 in hidden layers and 1 in the last; biases and identities 0. */
export function initialCritics({ layout, parameterCount, networks }: Critics, random: RandomStream): Float32Array {
  const flat = new Float32Array(parameterCount);
  for (const { name, rest } of networks) {
    const { offset, shape } = layout[`${name}.first.weight`]!;
    const matrix = orthogonalMatrix(shape[0]!, shape[1]!, random);
    flat.set(
      matrix.map((value) => Math.SQRT2 * value),
      offset,
    );
    initializePerceptron(flat, layout, rest, { random, gains: { hidden: Math.SQRT2, last: 1 } });
  }
  return flat;
}

/** What the critics look at. */
export interface Situation {
  /** Shape [M C]. */
  readonly joint: Expression;
  /** Shape [M U]. */
  readonly actions: Expression;
  /** What each learner alone would do otherwise; null for nothing. */
  readonly changes: ActionChanges | null;
}

export interface ActionChanges {
  /** Shape [M K n]: for each learner what is to be added to n neighbouring numbers of `actions`. */
  readonly values: Expression;
  /** The first of them. */
  readonly offset: number;
}

/**
 * Q_k(joint, actions + changes_k) of every learner.
 * @param flat shape [P] @returns shape [M K]
 */
export function criticValues(critics: Critics, flat: Expression, { joint, actions, changes }: Situation): Expression {
  const parameters = parametersFromFlat(flat, critics.layout);
  const seen = concat([joint, actions], 1);
  let first = 0;
  const values = critics.networks.map((network) => {
    const own = changes && {
      ...changes,
      values: slice(changes.values, 1, first, first + network.learnerCount),
    };
    first += network.learnerCount;
    return networkValues(network, critics.shape, parameters, seen, own);
  });
  return concat(values, 1);
}

/** @param seen shape [M C+U] @param changes of the learners that the network serves @returns their values, shape [M n] */
function networkValues(
  { name, learnerCount, isIdentified, rest }: CriticNetwork,
  { jointSize, activation }: CriticsShape,
  parameters: Readonly<Record<string, Expression>>,
  seen: Expression,
  changes: ActionChanges | null,
): Expression {
  const weight = parameters[`${name}.first.weight`]!;
  const [rows, units] = [seen.shape[0]!, weight.shape[1]!];
  let first = reshape(add(matmul(seen, weight), parameters[`${name}.first.bias`]!), [rows, 1, units]);
  if (isIdentified) first = add(first, reshape(parameters[`${name}.first.identity`]!, [1, learnerCount, units]));
  if (changes !== null) {
    const [from, size] = [jointSize + changes.offset, changes.values.shape[2]!];
    const change = matmul(reshape(changes.values, [rows * learnerCount, size]), slice(weight, 0, from, from + size));
    first = add(first, reshape(change, [rows, learnerCount, units]));
  }
  const all = reshape(broadcastTo(first, [rows, learnerCount, units]), [rows * learnerCount, units]);
  const activate = activation === 'tanh' ? tanh : relu;
  return reshape(multiLayerPerceptron(activate(all), parameters, rest), [rows, learnerCount]);
}
