import type { Graph, GraphNode, OperatorName, Shape } from '../../learning/graph/expression.ts';
import { sizeOf } from '../../learning/graph/shapes.ts';

/** A value in double precision; int32 and bool are stored as the numbers they are. */
interface ReferenceValue {
  readonly shape: Shape;
  readonly values: ArrayLike<number>;
}

/** The entry of y at an index (one number an axis), from the inputs' values. */
type Evaluation<Name extends OperatorName> = (
  node: GraphNode<Name>,
  inputs: readonly ReferenceValue[],
) => (index: readonly number[]) => number;

/** Position in row-major order. */
function positionOf(shape: Shape, index: readonly number[]): number {
  return shape.reduce((position, length, axis) => position * length + index[axis]!, 0);
}

function indexOf(shape: Shape, position: number): number[] {
  const index = new Array<number>(shape.length);
  let rest = position;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    index[axis] = rest % shape[axis]!;
    rest = Math.floor(rest / shape[axis]!);
  }
  return index;
}

function at({ shape, values }: ReferenceValue, index: readonly number[]): number {
  return values[positionOf(shape, index)]!;
}

/** The entry that broadcasting puts at an index of a larger shape. */
function broadcastAt(value: ReferenceValue, index: readonly number[]): number {
  const missing = index.length - value.shape.length;
  return at(
    value,
    value.shape.map((length, axis) => (length === 1 ? 0 : index[axis + missing]!)),
  );
}

const elementwise =
  (formula: (...operands: number[]) => number): Evaluation<OperatorName> =>
  (_node, inputs) =>
  (index) =>
    formula(...inputs.map((value) => broadcastAt(value, index)));

function rowOf(value: ReferenceValue, index: readonly number[]): number[] {
  return Array.from({ length: value.shape.at(-1)! }, (_, column) => at(value, index.with(-1, column)));
}

function logSumExp(row: readonly number[]): number {
  const largest = Math.max(...row);
  return largest + Math.log(row.reduce((sum, value) => sum + Math.exp(value - largest), 0));
}

const matmul: Evaluation<'matmul'> = (node, [left, right]) => {
  const { transposeLeft, transposeRight } = node.attributes;
  const inner = left!.shape.at(transposeLeft ? -2 : -1)!;
  const entry = (
    value: ReferenceValue,
    batch: readonly number[],
    row: number,
    column: number,
    isTransposed: boolean,
  ) => {
    const missing = batch.length + 2 - value.shape.length;
    const own = value.shape.slice(0, -2).map((length, axis) => (length === 1 ? 0 : batch[axis + missing]!));
    return at(value, [...own, ...(isTransposed ? [column, row] : [row, column])]);
  };
  return (index) => {
    const batch = index.slice(0, -2);
    let sum = 0;
    for (let k = 0; k < inner; k += 1) {
      sum +=
        entry(left!, batch, index.at(-2)!, k, transposeLeft) * entry(right!, batch, k, index.at(-1)!, transposeRight);
    }
    return sum;
  };
};

const reduction =
  (initial: number, fold: (total: number, value: number) => number): Evaluation<'reduceSum' | 'reduceMax'> =>
  (node, [x]) => {
    const { axes, keepDims } = node.attributes;
    const totals = new Float64Array(sizeOf(node.shape)).fill(initial);
    for (let position = 0; position < sizeOf(x!.shape); position += 1) {
      const index = indexOf(x!.shape, position);
      const target = keepDims
        ? index.map((each, axis) => (axes.includes(axis) ? 0 : each))
        : index.filter((_, axis) => !axes.includes(axis));
      const place = positionOf(node.shape, target);
      totals[place] = fold(totals[place]!, x!.values[position]!);
    }
    return (index) => totals[positionOf(node.shape, index)]!;
  };

const concat: Evaluation<'concat'> = (node, inputs) => (index) => {
  const { axis } = node.attributes;
  let offset = index[axis]!;
  for (const part of inputs) {
    if (offset < part.shape[axis]!) return at(part, index.with(axis, offset));
    offset -= part.shape[axis]!;
  }
  return NaN;
};

/** Plain loops over formulas: slow, and too simple to be wrong in the way a compiler is. */
const EVALUATIONS: { readonly [Name in Exclude<OperatorName, 'input'>]: Evaluation<Name> } = {
  constant: (node) => (index) => node.attributes.values[positionOf(node.shape, index)]!,
  matmul,
  add: elementwise((left, right) => left + right),
  subtract: elementwise((left, right) => left - right),
  multiply: elementwise((left, right) => left * right),
  divide: elementwise((left, right) => left / right),
  minimum: elementwise((left, right) => Math.min(left, right)),
  maximum: elementwise((left, right) => Math.max(left, right)),
  greater: elementwise((left, right) => Number(left > right)),
  greaterOrEqual: elementwise((left, right) => Number(left >= right)),
  equal: elementwise((left, right) => Number(left === right)),
  where: elementwise((condition, whenTrue, whenFalse) => (condition === 1 ? whenTrue : whenFalse)),
  negate: elementwise((x) => -x),
  exp: elementwise((x) => Math.exp(x)),
  log: elementwise((x) => Math.log(x)),
  sqrt: elementwise((x) => Math.sqrt(x)),
  square: elementwise((x) => x * x),
  abs: elementwise((x) => Math.abs(x)),
  tanh: elementwise((x) => Math.tanh(x)),
  sigmoid: elementwise((x) => 1 / (1 + Math.exp(-x))),
  relu: elementwise((x) => Math.max(x, 0)),
  clip: (node, [x]) => {
    const { low, high } = node.attributes;
    return (index) => Math.min(Math.max(at(x!, index), low), high);
  },
  softmax:
    (_node, [x]) =>
    (index) =>
      Math.exp(at(x!, index) - logSumExp(rowOf(x!, index))),
  logSoftmax:
    (_node, [x]) =>
    (index) =>
      at(x!, index) - logSumExp(rowOf(x!, index)),
  reduceSum: reduction(0, (total, value) => total + value),
  reduceMax: reduction(-Infinity, Math.max),
  argMax:
    (_node, [x]) =>
    (index) => {
      const row = rowOf(x!, [...index, 0]);
      return row.indexOf(Math.max(...row));
    },
  reshape:
    (node, [x]) =>
    (index) =>
      x!.values[positionOf(node.shape, index)]!,
  broadcastTo: elementwise((x) => x),
  slice: (node, [x]) => {
    const { axis, start } = node.attributes;
    return (index) => at(x!, index.with(axis, index[axis]! + start));
  },
  concat,
  gatherRows:
    (_node, [x, indices]) =>
    (index) =>
      at(x!, index.with(0, indices!.values[index[0]!]!)),
  oneHot:
    (_node, [indices]) =>
    (index) =>
      Number(indices!.values[index[0]!] === index[1]),
  cast: (node, [x]) => {
    const convert = node.dtype === 'int32' ? Math.trunc : (value: number) => value;
    return (index) => convert(at(x!, index));
  },
  stopGradient: elementwise((x) => x),
};

/** Evaluates a graph in double precision: the outputs by name. */
export function referenceOutputs(
  graph: Graph,
  inputs: Readonly<Record<string, ArrayLike<number>>>,
): Record<string, Float64Array> {
  const computed: { shape: Shape; values: Float64Array }[] = [];
  for (const node of graph.nodes) {
    const values = new Float64Array(sizeOf(node.shape));
    if (node.op === 'input') {
      values.set(inputs[(node as GraphNode<'input'>).attributes.name]!);
    } else {
      const sources = node.inputs.map((id) => computed[id]!);
      const entryAt = (EVALUATIONS[node.op] as Evaluation<OperatorName>)(node, sources);
      values.forEach((_, position) => (values[position] = entryAt(indexOf(node.shape, position))));
    }
    computed.push({ shape: node.shape, values });
  }
  return Object.fromEntries(graph.outputs.map(({ name, node }) => [name, computed[node]!.values]));
}
