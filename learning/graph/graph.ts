import { ThawError } from '../../schemas/errors.ts';
import { type Expression, type Graph, type GraphInput, type GraphNode, isOperator } from './expression.ts';
import { isSameShape, sizeOf } from './shapes.ts';

/** Larger constants count as equal only when they are the same array: reading them all would cost more than it saves. */
const COMPARED_CONSTANT_SIZE_MAX = 64;

/**
 * Lays expressions out as a graph. Only what the outputs need is in it, and equal expressions are one node.
 *
 * @param outputs name → expression of type float32 or int32
 * @throws DEFECT_SHAPE_MISMATCH when one input name stands for two shapes or types, or is an output's too, or an output is `bool`
 */
export function graphFromOutputs(outputs: Readonly<Record<string, Expression>>): Graph {
  const nodes: GraphNode[] = [];
  const idByKey = new Map<string, number>();
  const ids = new Map<Expression, number>();
  const arrays = new Map<object, number>();
  const inputs = new Map<string, GraphInput>();

  const place = (expression: Expression): void => {
    if (isOperator(expression, 'input')) registerInput(inputs, expression);
    const inputIds = expression.inputs.map((each) => ids.get(each)!);
    const key = keyOf(expression, inputIds, arrays);
    const known = idByKey.get(key);
    const id = known ?? nodes.length;
    ids.set(expression, id);
    if (known !== undefined) return;
    idByKey.set(key, id);
    const { op, attributes, shape, dtype } = expression;
    nodes.push({ id, op, inputs: inputIds, attributes, shape, dtype });
  };

  for (const [name, expression] of Object.entries(outputs)) {
    if (expression.dtype === 'bool') throw new ThawError('DEFECT_SHAPE_MISMATCH', `output ${name} is bool: cast it`);
    placeAll(expression, ids, place);
  }
  const ambiguous = Object.keys(outputs).find((name) => inputs.has(name));
  if (ambiguous !== undefined) {
    throw new ThawError('DEFECT_SHAPE_MISMATCH', `${ambiguous} is the name of an input and of an output`);
  }
  return {
    nodes,
    inputs: [...inputs.values()],
    outputs: Object.entries(outputs).map(([name, expression]) => ({ name, node: ids.get(expression)! })),
  };
}

/** Calls `place` on everything an expression needs, inputs first. Without recursion: chains may be long. */
function placeAll(root: Expression, ids: ReadonlyMap<Expression, number>, place: (each: Expression) => void): void {
  const stack = [root];
  while (stack.length > 0) {
    const expression = stack.at(-1)!;
    const pending = ids.has(expression) ? [] : expression.inputs.filter((each) => !ids.has(each));
    if (pending.length > 0) {
      stack.push(...pending.reverse());
      continue;
    }
    stack.pop();
    if (!ids.has(expression)) place(expression);
  }
}

function keyOf({ op, attributes, shape, dtype }: Expression, inputIds: number[], arrays: Map<object, number>): string {
  const text = JSON.stringify(attributes, (_key, value: unknown) =>
    value instanceof Float32Array || value instanceof Int32Array ? keyOfArray(value, arrays) : value,
  );
  return [op, inputIds.join(' '), text, shape.join(' '), dtype].join('|');
}

function keyOfArray(values: Float32Array | Int32Array, arrays: Map<object, number>): string {
  const isUniform = values.every((value) => Object.is(value, values[0]));
  if (isUniform) return `all ${Object.is(values[0], -0) ? '-0' : String(values[0])}`;
  if (values.length <= COMPARED_CONSTANT_SIZE_MAX)
    return Array.from(values, (value) => (Object.is(value, -0) ? '-0' : value)).join(' ');
  const number = arrays.get(values) ?? arrays.size;
  arrays.set(values, number);
  return `array ${number}`;
}

function registerInput(inputs: Map<string, GraphInput>, expression: Expression<'input'>): void {
  const { name } = expression.attributes;
  const { shape, dtype } = expression;
  const known = inputs.get(name);
  if (known && (!isSameShape(known.shape, shape) || known.dtype !== dtype)) {
    throw new ThawError('DEFECT_SHAPE_MISMATCH', `input ${name} stands for two shapes or types`);
  }
  if (sizeOf(shape) === 0) throw new ThawError('DEFECT_SHAPE_MISMATCH', `input ${name} is empty`);
  inputs.set(name, { name, shape, dtype });
}
