import { ThawError } from '../../schemas/errors.ts';
import type { DataType, Expression, OperatorAttributes, OperatorName, Shape } from './expression.ts';
import { isOperator } from './expression.ts';
import { broadcastShapes, isSameShape, normalizedAxes, reducedShape, shapeError, sizeOf } from './shapes.ts';

/** A number stands for a scalar constant wherever an elementwise operator takes an expression. */
export type Operand = Expression | number;

function node<Name extends OperatorName>(
  op: Name,
  inputs: readonly Expression[],
  attributes: OperatorAttributes[Name],
  shape: Shape,
  dtype: DataType = 'float32',
): Expression<Name> {
  return { op, inputs, attributes, shape, dtype };
}

/** An array given at each run. Two inputs of one graph with one name must be the same in shape and type. */
export function input(name: string, shape: Shape, dtype: 'float32' | 'int32' = 'float32'): Expression {
  return node('input', [], { name }, shape, dtype);
}

/**
 * @param values one number, or as many as the shape holds, row-major; not copied, so not to be changed afterwards
 * @param shape a scalar for a number, a vector for an array when left out
 */
export function constant(
  values: number | readonly number[] | Float32Array | Int32Array,
  shape: Shape = typeof values === 'number' ? [] : [values.length],
): Expression {
  const array =
    values instanceof Float32Array || values instanceof Int32Array
      ? values
      : typeof values === 'number'
        ? new Float32Array(sizeOf(shape)).fill(values)
        : Float32Array.from(values);
  if (array.length !== sizeOf(shape)) throw shapeError('constant', [shape], `cannot hold ${array.length} values`);
  return node('constant', [], { values: array }, shape, array instanceof Int32Array ? 'int32' : 'float32');
}

function expressionFrom(operand: Operand): Expression {
  return typeof operand === 'number' ? constant(operand) : operand;
}

/** The value of a scalar constant; NaN for every other expression. */
function scalarOf(expression: Expression): number {
  return isOperator(expression, 'constant') && expression.shape.length === 0 ? expression.attributes.values[0]! : NaN;
}

type BinaryName = 'add' | 'subtract' | 'multiply' | 'divide' | 'minimum' | 'maximum';
type ComparisonName = 'greater' | 'greaterOrEqual' | 'equal';

/** Elementwise operators repeat their inputs by themselves: an explicit repetition before them is work for nothing. */
function withoutRepetition(expression: Expression, shape: Shape, others: readonly Expression[]): Expression {
  const source = expression.op === 'broadcastTo' ? expression.inputs[0]! : expression;
  const shapes = [source, ...others].map((other) => other.shape);
  return source !== expression && isSameShape(broadcastShapes('broadcastTo', ...shapes), shape) ? source : expression;
}

function elementwise(
  op: BinaryName | ComparisonName | 'where',
  inputs: readonly Expression[],
  dtype: DataType,
): Expression {
  const shape = broadcastShapes(op, ...inputs.map((each) => each.shape));
  const sources = [...inputs];
  sources.forEach((each, index) => {
    sources[index] = withoutRepetition(each, shape, sources.toSpliced(index, 1));
  });
  return node(op, sources, {}, shape, dtype);
}

function binary(op: BinaryName | ComparisonName, leftOperand: Operand, rightOperand: Operand): Expression {
  const left = expressionFrom(leftOperand);
  const right = expressionFrom(rightOperand);
  requireTypes(op, [left, right], left.dtype === 'int32' ? 'int32' : 'float32');
  const isComparison = op === 'greater' || op === 'greaterOrEqual' || op === 'equal';
  return elementwise(op, [left, right], isComparison ? 'bool' : left.dtype);
}

/** left + right, with broadcasting. */
export function add(left: Operand, right: Operand): Expression {
  return binary('add', left, right);
}

/** left − right, with broadcasting. */
export function subtract(left: Operand, right: Operand): Expression {
  return binary('subtract', left, right);
}

/** left · right elementwise, with broadcasting. Scalar constants are multiplied now, and a factor 1 is left out. */
export function multiply(leftOperand: Operand, rightOperand: Operand): Expression {
  const left = expressionFrom(leftOperand);
  const right = expressionFrom(rightOperand);
  const product = scalarOf(left) * scalarOf(right);
  if (!Number.isNaN(product)) return constant(product);
  if (scalarOf(left) === 1) return right;
  if (scalarOf(right) === 1) return left;
  return binary('multiply', left, right);
}

/** left / right elementwise, with broadcasting. */
export function divide(left: Operand, right: Operand): Expression {
  return binary('divide', left, right);
}

/** The smaller of the two; where they are equal the gradient goes to `left`. */
export function minimum(left: Operand, right: Operand): Expression {
  return binary('minimum', left, right);
}

/** The larger of the two; where they are equal the gradient goes to `left`. */
export function maximum(left: Operand, right: Operand): Expression {
  return binary('maximum', left, right);
}

/** left > right as `bool`. */
export function greater(left: Operand, right: Operand): Expression {
  return binary('greater', left, right);
}

/** left ≥ right as `bool`. */
export function greaterOrEqual(left: Operand, right: Operand): Expression {
  return binary('greaterOrEqual', left, right);
}

/** left = right as `bool`. */
export function equal(left: Operand, right: Operand): Expression {
  return binary('equal', left, right);
}

/** `whenTrue` where the `bool` condition holds, `whenFalse` elsewhere, with broadcasting. */
export function where(condition: Expression, whenTrue: Operand, whenFalse: Operand): Expression {
  const branches = [expressionFrom(whenTrue), expressionFrom(whenFalse)];
  requireTypes('where', [condition], 'bool');
  requireTypes('where', branches, branches[0]!.dtype);
  return elementwise('where', [condition, ...branches], branches[0]!.dtype);
}

type UnaryName =
  | 'negate'
  | 'exp'
  | 'log'
  | 'sqrt'
  | 'square'
  | 'abs'
  | 'tanh'
  | 'sigmoid'
  | 'relu'
  | 'softmax'
  | 'logSoftmax'
  | 'stopGradient';

const unary =
  (op: UnaryName) =>
  (x: Expression): Expression => {
    requireTypes(op, [x], 'float32');
    return node(op, [x], {}, x.shape);
  };

export const negate = unary('negate');
export const exp = unary('exp');
/** Natural logarithm. */
export const log = unary('log');
export const sqrt = unary('sqrt');
export const square = unary('square');
export const abs = unary('abs');
export const tanh = unary('tanh');
/** 1 / (1 + e^−x). */
export const sigmoid = unary('sigmoid');
/** max(x, 0), with gradient 0 at 0. */
export const relu = unary('relu');
/** e^x / Σ e^x over the last axis. */
export const softmax = unary('softmax');
/** x − log Σ e^x over the last axis. */
export const logSoftmax = unary('logSoftmax');
/** The same value, taken for a constant when gradients are formed. */
export const stopGradient = unary('stopGradient');

/** x limited to [low, high]; the gradient is 1 inside and at the limits, 0 outside. */
export function clip(x: Expression, low: number, high: number): Expression {
  requireTypes('clip', [x], 'float32');
  return node('clip', [x], { low, high }, x.shape);
}

/**
 * Matrix product over the last two axes, [… M K] · [… K N] → [… M N]. Leading axes broadcast.
 * @param options whether the last two axes of an input are to be read in exchanged order
 */
export function matmul(
  left: Expression,
  right: Expression,
  options: { transposeLeft?: boolean; transposeRight?: boolean } = {},
): Expression {
  const { transposeLeft = false, transposeRight = false } = options;
  const shapes = [left.shape, right.shape];
  requireTypes('matmul', [left, right], 'float32');
  if (left.shape.length < 2 || right.shape.length < 2) throw shapeError('matmul', shapes, 'are not both matrices');
  const [rows, inner] = transposeLeft ? left.shape.slice(-2).reverse() : left.shape.slice(-2);
  const [innerRight, columns] = transposeRight ? right.shape.slice(-2).reverse() : right.shape.slice(-2);
  if (inner !== innerRight) {
    throw shapeError('matmul', shapes, `do not multiply (transposed: ${transposeLeft}, ${transposeRight})`);
  }
  const batch = broadcastShapes('matmul', left.shape.slice(0, -2), right.shape.slice(0, -2));
  return node('matmul', [left, right], { transposeLeft, transposeRight }, [...batch, rows!, columns!]);
}

interface ReduceOptions {
  /** Whether reduced axes stay, with size 1 (default false). */
  readonly keepDims?: boolean;
}

const reduction =
  (op: 'reduceSum' | 'reduceMax') =>
  (x: Expression, axes?: readonly number[], { keepDims = false }: ReduceOptions = {}): Expression => {
    requireTypes(op, [x], 'float32');
    const reduced = normalizedAxes(op, x.shape, axes ?? x.shape.map((_, axis) => axis));
    if (reduced.length === 0) return x;
    return node(op, [x], { axes: reduced, keepDims }, reducedShape(x.shape, reduced, keepDims));
  };

/** Sum over some axes, all when left out. */
export const reduceSum = reduction('reduceSum');
/** Largest entry over some axes, all when left out; entries that are equally large share its gradient. */
export const reduceMax = reduction('reduceMax');

/** Smallest entry over some axes, all when left out; entries that are equally small share its gradient. */
export function reduceMin(x: Expression, axes?: readonly number[], options: ReduceOptions = {}): Expression {
  return negate(reduceMax(negate(x), axes, options));
}

/** Index of the largest entry of each row, the first of equal ones: [n k] → [n] int32. */
export function argMax(x: Expression): Expression {
  requireTypes('argMax', [x], 'float32');
  if (x.shape.length !== 2) throw shapeError('argMax', [x.shape], 'is no matrix');
  return node('argMax', [x], {}, x.shape.slice(0, 1), 'int32');
}

/** Mean over some axes, all when left out. */
export function reduceMean(x: Expression, axes?: readonly number[], options: ReduceOptions = {}): Expression {
  const sum = reduceSum(x, axes, options);
  return multiply(sum, sizeOf(sum.shape) / sizeOf(x.shape));
}

/** The same values in row-major order under another shape. Of a constant it is a constant, and so are slices of vectors. */
export function reshape(x: Expression, shape: Shape): Expression {
  if (sizeOf(x.shape) !== sizeOf(shape)) throw shapeError('reshape', [x.shape, shape], 'differ in size');
  if (isSameShape(x.shape, shape)) return x;
  if (isOperator(x, 'constant')) return constant(x.attributes.values, shape);
  return node('reshape', [x.op === 'reshape' ? x.inputs[0]! : x], {}, shape, x.dtype);
}

/** Repeats missing axes and axes of size 1 until the shape is reached. */
export function broadcastTo(x: Expression, shape: Shape): Expression {
  if (!isSameShape(broadcastShapes('broadcastTo', x.shape, shape), shape)) {
    throw shapeError('broadcastTo', [x.shape, shape], 'do not broadcast to the second');
  }
  return isSameShape(x.shape, shape) ? x : node('broadcastTo', [x], {}, shape, x.dtype);
}

/** Entries start ≤ i < end of one axis, 0 ≤ start < end ≤ size. */
export function slice(x: Expression, axis: number, start: number, end: number): Expression {
  const [along] = normalizedAxes('slice', x.shape, [axis]);
  const length = x.shape[along!]!;
  if (!(start >= 0 && start < end && end <= length)) {
    throw shapeError('slice', [x.shape], `has no entries ${start} to ${end} on axis ${axis}`);
  }
  if (end - start === length) return x;
  if (isOperator(x, 'constant') && x.shape.length === 1) return constant(x.attributes.values.subarray(start, end));
  return node('slice', [x], { axis: along!, start, end }, x.shape.with(along!, end - start), x.dtype);
}

/** Joins along one axis; all other axes must be equal. */
export function concat(parts: readonly Expression[], axis: number): Expression {
  const [first] = parts;
  if (first === undefined) throw new ThawError('DEFECT_SHAPE_MISMATCH', 'concat: of nothing has no shape');
  const [along] = normalizedAxes('concat', first.shape, [axis]);
  const shapes = parts.map((part) => part.shape);
  requireTypes('concat', parts, first.dtype);
  if (shapes.some((shape) => !isSameShape(shape.with(along!, 0), first.shape.with(along!, 0)))) {
    throw shapeError('concat', shapes, `do not join along axis ${axis}`);
  }
  if (parts.length === 1) return first;
  const length = shapes.reduce((sum, shape) => sum + shape[along!]!, 0);
  return node('concat', parts, { axis: along! }, first.shape.with(along!, length), first.dtype);
}

/** Rows of x by index: [R …], [n] int32 in 0…R−1 → [n …]. */
export function gatherRows(x: Expression, indices: Expression): Expression {
  requireIndices('gatherRows', indices);
  if (x.shape.length === 0) throw shapeError('gatherRows', [x.shape], 'has no rows');
  return node('gatherRows', [x, indices], {}, [...indices.shape, ...x.shape.slice(1)], x.dtype);
}

/** [n] int32 in 0…depth−1 → [n depth] float32 with a single 1 in each row. */
export function oneHot(indices: Expression, depth: number): Expression {
  requireIndices('oneHot', indices);
  return node('oneHot', [indices], {}, [...indices.shape, depth]);
}

/** One entry of each row: [n k], [n] int32 in 0…k−1 → [n]. */
export function pick(x: Expression, indices: Expression): Expression {
  return reduceSum(multiply(x, oneHot(indices, x.shape.at(-1) ?? 0)), [-1]);
}

/** Another number type: `bool` becomes 0 or 1, fractions are cut off. No gradient passes. */
export function cast(x: Expression, dtype: 'float32' | 'int32'): Expression {
  return x.dtype === dtype ? x : node('cast', [x], {}, x.shape, dtype);
}

function requireIndices(op: string, indices: Expression): void {
  requireTypes(op, [indices], 'int32');
  if (indices.shape.length !== 1) throw shapeError(op, [indices.shape], 'is no vector of indices');
}

function requireTypes(op: string, inputs: readonly Expression[], dtype: DataType): void {
  if (inputs.every((each) => each.dtype === dtype)) return;
  const found = inputs.map((each) => each.dtype).join(', ');
  throw new ThawError('DEFECT_SHAPE_MISMATCH', `${op}: takes ${dtype}, not ${found}`);
}
