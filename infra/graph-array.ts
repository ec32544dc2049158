import type { GraphInput } from '../learning/graph/expression.ts';
import { ThawError } from '../schemas/errors.ts';

/**
 * The array given for an input or output of a graph.
 * @throws DEFECT_SHAPE_MISMATCH when it is missing or has another size or type
 */
export function graphArray(
  { name, shape, dtype }: GraphInput,
  array: Float32Array | Int32Array | undefined,
): Float32Array | Int32Array {
  const size = shape.reduce((product, length) => product * length, 1);
  const ArrayType = dtype === 'float32' ? Float32Array : Int32Array;
  if (array instanceof ArrayType && array.length === size) return array;
  throw new ThawError(
    'DEFECT_SHAPE_MISMATCH',
    `${name}: takes ${size} values of ${dtype}, not ${array?.length ?? 'no'} of ${array?.constructor.name ?? 'any'}`,
  );
}
