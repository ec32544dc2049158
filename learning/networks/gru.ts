import type { Expression, Shape } from '../graph/expression.ts';
import { add, concat, constant, matmul, multiply, sigmoid, slice, subtract, tanh } from '../graph/operators.ts';

// Letters: M rows, L steps, Q sequences, I inputs, H units.

type Parameters = Readonly<Record<string, Expression>>;

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
export function gruCell(x: Expression, memory: Expression, parameters: Parameters, name: string): Expression {
  return nextMemory(inputShares(x, parameters, name), memory, parameters, name);
}

/**
 * A gated recurrent unit stepped through Q sequences at once. The rows of x lie step by step: row l·Q + q is step l of
 * sequence q. What the inputs contribute is one product over all rows; only what the memory contributes has to wait for the
 * step before.
 *
 * @param x shape [L·Q I]
 * @param start the memory before the first step, shape [Q H]
 * @param keep shape [L·Q 1]: 0 where an episode begins at that step, whose memory is 0 then; 1 elsewhere
 * @returns the memory after each step, shape [L·Q H]
 */
export function unrolledGru(
  x: Expression,
  { start, keep }: { readonly start: Expression; readonly keep: Expression },
  parameters: Parameters,
  name: string,
): Expression {
  const sequenceCount = start.shape[0]!;
  const shares = inputShares(x, parameters, name);
  const memories: Expression[] = [];
  for (let row = 0; row < x.shape[0]!; row += sequenceCount) {
    const atStep = (all: Expression): Expression => slice(all, 0, row, row + sequenceCount);
    const before = multiply(memories.at(-1) ?? start, atStep(keep));
    const ofStep = { gates: atStep(shares.gates), candidate: atStep(shares.candidate) };
    memories.push(nextMemory(ofStep, before, parameters, name));
  }
  return concat(memories, 0);
}

/** What the inputs of rows contribute to the gates, [M 2H], and to the candidate, [M H]. */
interface InputShares {
  readonly gates: Expression;
  readonly candidate: Expression;
}

function inputShares(x: Expression, parameters: Parameters, name: string): InputShares {
  const packed = add(matmul(x, parameters[`${name}.input`]!), parameters[`${name}.bias`]!);
  const size = packed.shape[1]! / 3;
  return { gates: slice(packed, 1, 0, 2 * size), candidate: slice(packed, 1, 2 * size, 3 * size) };
}

function nextMemory(shares: InputShares, memory: Expression, parameters: Parameters, name: string): Expression {
  const size = memory.shape[1]!;
  // The candidate's bias in its third of a packed one, so that product and bias are one operation.
  const bias = concat([constant(0, [2 * size]), parameters[`${name}.candidateBias`]!], 0);
  const packed = add(matmul(memory, parameters[`${name}.recurrent`]!), bias);
  const gates = sigmoid(add(shares.gates, slice(packed, 1, 0, 2 * size)));
  const [reset, update] = [slice(gates, 1, 0, size), slice(gates, 1, size, 2 * size)];
  const candidate = tanh(add(shares.candidate, multiply(reset, slice(packed, 1, 2 * size, 3 * size))));
  return add(candidate, multiply(update, subtract(memory, candidate)));
}
