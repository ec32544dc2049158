import type { Expression, Shape } from '../graph/expression.ts';
import { add, matmul, multiply, sigmoid, slice, subtract, tanh } from '../graph/operators.ts';

// Letters: M rows, I inputs, H units.

/** Shapes of a gated recurrent unit: `<name>.input` [I 3H], `.recurrent` [H 3H], `.bias` [3H], `.candidateBias` [H]. */
export function gruShapes(name: string, inputSize: number, size: number): Record<string, Shape> {
  return {
    [`${name}.input`]: [inputSize, 3 * size],
    [`${name}.recurrent`]: [size, 3 * size],
    [`${name}.bias`]: [3 * size],
    [`${name}.candidateBias`]: [size],
  };
}

/**
 * One step of a gated recurrent unit. Thirds of the packed arrays are the reset gate r, the update gate z and the
 * candidate n:
 *
 *     r = σ(W_r x + U_r h + b_r),   z = σ(W_z x + U_z h + b_z)
 *     n = tanh(W_n x + b_n + r ⊙ (U_n h + c))
 *     h' = (1 − z) ⊙ n + z ⊙ h
 *
 * @param x shape [M I] @param memory h, shape [M H]
 * @returns h', shape [M H]
 * @source Cho et al. 2014 (arXiv 1406.1078), in the form of cuDNN and PyTorch: the reset gate after the product
 */
export function gruCell(
  x: Expression,
  memory: Expression,
  parameters: Readonly<Record<string, Expression>>,
  name: string,
): Expression {
  const size = memory.shape[1]!;
  const ofInput = add(matmul(x, parameters[`${name}.input`]!), parameters[`${name}.bias`]!);
  const ofMemory = matmul(memory, parameters[`${name}.recurrent`]!);
  const gates = sigmoid(add(slice(ofInput, 1, 0, 2 * size), slice(ofMemory, 1, 0, 2 * size)));
  const [reset, update] = [slice(gates, 1, 0, size), slice(gates, 1, size, 2 * size)];
  const recalled = add(slice(ofMemory, 1, 2 * size, 3 * size), parameters[`${name}.candidateBias`]!);
  const candidate = tanh(add(slice(ofInput, 1, 2 * size, 3 * size), multiply(reset, recalled)));
  return add(candidate, multiply(update, subtract(memory, candidate)));
}
