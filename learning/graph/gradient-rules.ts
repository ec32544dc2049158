import type { Expression, OperatorName, Shape } from './expression.ts';
import * as graph from './operators.ts';
import { sizeOf } from './shapes.ts';

/** A gradient that belongs to a part of an input only, and is zero elsewhere. */
export interface PartialGradient {
  readonly axis: number;
  readonly start: number;
  readonly value: Expression;
}

/** One entry for each input; null where nothing flows. */
type InputGradients = readonly (Expression | PartialGradient | null)[];

/**
 * @param node y = op(inputs)
 * @param upstream ∂loss/∂y, of y's shape
 * @returns ∂loss/∂input for each input, of that input's shape
 */
export type GradientRule<Name extends OperatorName> = (node: Expression<Name>, upstream: Expression) => InputGradients;

/** Sums over the axes that broadcasting had repeated, so that the gradient has its input's shape again. */
function unbroadcast(gradient: Expression, shape: Shape): Expression {
  const missing = gradient.shape.length - shape.length;
  const repeated = gradient.shape.flatMap((length, axis) =>
    axis < missing || (shape[axis - missing] === 1 && length !== 1) ? [axis] : [],
  );
  return graph.reshape(repeated.length === 0 ? gradient : graph.reduceSum(gradient, repeated), shape);
}

/** Rule of an operator of two broadcast inputs, from the two factors. */
function binaryRule(
  rule: (left: Expression, right: Expression, upstream: Expression, y: Expression) => readonly [Expression, Expression],
) {
  return (node: Expression, upstream: Expression): InputGradients => {
    const [left, right] = node.inputs;
    return rule(left!, right!, upstream, node).map((gradient, index) =>
      unbroadcast(gradient, node.inputs[index]!.shape),
    );
  };
}

function unaryRule(rule: (x: Expression, upstream: Expression, y: Expression) => Expression) {
  return (node: Expression, upstream: Expression): InputGradients => [rule(node.inputs[0]!, upstream, node)];
}

const noGradient = (node: Expression): InputGradients => node.inputs.map(() => null);

/** Y = A·B gives dA = dY·Bᵀ and dB = Aᵀ·dY; a transposed input receives the transposed product. */
function matmulRule(node: Expression<'matmul'>, upstream: Expression): InputGradients {
  const [left, right] = node.inputs;
  const { transposeLeft, transposeRight } = node.attributes;
  const leftGradient = transposeLeft
    ? graph.matmul(right!, upstream, { transposeLeft: transposeRight, transposeRight: true })
    : graph.matmul(upstream, right!, { transposeRight: !transposeRight });
  const rightGradient = transposeRight
    ? graph.matmul(upstream, left!, { transposeLeft: true, transposeRight: transposeLeft })
    : graph.matmul(left!, upstream, { transposeLeft: !transposeLeft });
  return [unbroadcast(leftGradient, left!.shape), unbroadcast(rightGradient, right!.shape)];
}

/** The shape of the input with size 1 on the axes that were reduced, which repeats over it. */
function keptShape({ inputs, attributes }: Expression<'reduceSum' | 'reduceMax'>): Shape {
  return inputs[0]!.shape.map((length, axis) => (attributes.axes.includes(axis) ? 1 : length));
}

function reduceSumRule(node: Expression<'reduceSum'>, upstream: Expression): InputGradients {
  return [graph.broadcastTo(graph.reshape(upstream, keptShape(node)), node.inputs[0]!.shape)];
}

function reduceMaxRule(node: Expression<'reduceMax'>, upstream: Expression): InputGradients {
  const x = node.inputs[0]!;
  const isLargest = graph.cast(graph.equal(x, graph.reshape(node, keptShape(node))), 'float32');
  const count = graph.reduceSum(isLargest, node.attributes.axes, { keepDims: true });
  return [graph.multiply(isLargest, graph.divide(graph.reshape(upstream, keptShape(node)), count))];
}

function concatRule(node: Expression<'concat'>, upstream: Expression): InputGradients {
  const { axis } = node.attributes;
  let end = 0;
  return node.inputs.map(({ shape }) => {
    const start = end;
    end += shape[axis]!;
    return graph.slice(upstream, axis, start, end);
  });
}

/** Rows that were taken several times receive the sum, which the product with the one-hot matrix forms. */
function gatherRowsRule(node: Expression, upstream: Expression): InputGradients {
  const [x, indices] = node.inputs;
  const rowSize = sizeOf(x!.shape.slice(1));
  const rows = graph.reshape(upstream, [indices!.shape[0]!, rowSize]);
  const taken = graph.oneHot(indices!, x!.shape[0]!);
  return [graph.reshape(graph.matmul(taken, rows, { transposeLeft: true }), x!.shape), null];
}

/** ∂loss/∂inputs of every operator. */
export const GRADIENT_RULES: { readonly [Name in OperatorName]: GradientRule<Name> } = {
  input: noGradient,
  constant: noGradient,
  matmul: matmulRule,
  add: binaryRule((_left, _right, upstream) => [upstream, upstream]),
  subtract: binaryRule((_left, _right, upstream) => [upstream, graph.negate(upstream)]),
  multiply: binaryRule((left, right, upstream) => [graph.multiply(upstream, right), graph.multiply(upstream, left)]),
  divide: binaryRule((_left, right, upstream, y) => {
    const leftGradient = graph.divide(upstream, right);
    return [leftGradient, graph.negate(graph.multiply(leftGradient, y))];
  }),
  minimum: binaryRule((left, right, upstream) => chosen(graph.greaterOrEqual(right, left), upstream)),
  maximum: binaryRule((left, right, upstream) => chosen(graph.greaterOrEqual(left, right), upstream)),
  greater: noGradient,
  greaterOrEqual: noGradient,
  equal: noGradient,
  where: (node, upstream) => {
    const [condition, whenTrue, whenFalse] = node.inputs;
    const [forTrue, forFalse] = chosen(condition!, upstream);
    return [null, unbroadcast(forTrue, whenTrue!.shape), unbroadcast(forFalse, whenFalse!.shape)];
  },
  negate: unaryRule((_x, upstream) => graph.negate(upstream)),
  exp: unaryRule((_x, upstream, y) => graph.multiply(upstream, y)),
  log: unaryRule((x, upstream) => graph.divide(upstream, x)),
  sqrt: unaryRule((_x, upstream, y) => graph.divide(graph.multiply(upstream, 0.5), y)),
  square: unaryRule((x, upstream) => graph.multiply(graph.multiply(upstream, 2), x)),
  abs: unaryRule((x, upstream) => graph.where(graph.greaterOrEqual(x, 0), upstream, graph.negate(upstream))),
  tanh: unaryRule((_x, upstream, y) => graph.multiply(upstream, graph.subtract(1, graph.square(y)))),
  sigmoid: unaryRule((_x, upstream, y) => graph.multiply(upstream, graph.multiply(y, graph.subtract(1, y)))),
  relu: unaryRule((x, upstream) => graph.where(graph.greater(x, 0), upstream, 0)),
  // Inside of its limits, and only there, y is x: one comparison instead of two and their conjunction.
  clip: unaryRule((x, upstream, y) => graph.where(graph.equal(x, y), upstream, 0)),
  softmax: unaryRule((_x, upstream, y) => {
    const inner = graph.reduceSum(graph.multiply(upstream, y), [-1], { keepDims: true });
    return graph.multiply(y, graph.subtract(upstream, inner));
  }),
  logSoftmax: unaryRule((_x, upstream, y) => {
    const total = graph.reduceSum(upstream, [-1], { keepDims: true });
    return graph.subtract(upstream, graph.multiply(graph.exp(y), total));
  }),
  reduceSum: reduceSumRule,
  reduceMax: reduceMaxRule,
  argMax: noGradient,
  reshape: unaryRule((x, upstream) => graph.reshape(upstream, x.shape)),
  broadcastTo: unaryRule((x, upstream) => unbroadcast(upstream, x.shape)),
  slice: (node, upstream) => [{ axis: node.attributes.axis, start: node.attributes.start, value: upstream }],
  concat: concatRule,
  gatherRows: gatherRowsRule,
  oneHot: noGradient,
  cast: noGradient,
  stopGradient: noGradient,
};

function chosen(condition: Expression, upstream: Expression): readonly [Expression, Expression] {
  return [graph.where(condition, upstream, 0), graph.where(condition, 0, upstream)];
}
