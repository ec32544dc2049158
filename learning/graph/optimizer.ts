import type { Expression } from './expression.ts';
import { add, divide, minimum, multiply, reduceSum, sqrt, square, subtract } from './operators.ts';

// Letters: P parameters.

/** Keeps a vanishing gradient from being divided by zero. */
const NORM_EPSILON = 1e-6;

/** A gradient g whose norm may be too large: what is stepped along is f·g. */
export interface ClippedGradient {
  /** g, shape [P], all parameters in one vector, so that its norm is the global one. */
  readonly gradient: Expression;
  /** f, a scalar: what shortens the gradient to a norm of at most the limit; 1 where it is not longer. */
  readonly factor: Expression;
  /** Of g, a scalar. */
  readonly norm: Expression;
}

/** @param gradient shape [P] */
export function clippedByNorm(gradient: Expression, normMax: number): ClippedGradient {
  const norm = sqrt(reduceSum(square(gradient)));
  return { gradient, factor: minimum(divide(normMax, add(norm, NORM_EPSILON)), 1), norm };
}

export interface AdamState {
  /** Parameters, first and second moment, each [P]. */
  readonly parameters: Expression;
  readonly firstMoment: Expression;
  readonly secondMoment: Expression;
}

/** What a step of Adam takes beside the gradient; see `adamRates`. */
export interface AdamStep {
  readonly beta1: number;
  readonly beta2: number;
  /** η·√c₂/c₁, a scalar or [1]. */
  readonly stepSize: Expression;
  /** ε·√c₂, a scalar or [1]. */
  readonly epsilon: Expression;
}

/**
 * One step of Adam: m ← β₁m + (1−β₁)fg, v ← β₂v + (1−β₂)(fg)², θ ← θ − η · (m/c₁) / (√(v/c₂) + ε).
 *
 * ε stands outside of the root and after the bias correction, as in the paper and in PyTorch. Corrections and the factor
 * of the gradient are put into scalars, and g² is the one of the norm: eleven passes over [P] are left of seventeen.
 *
 * @source Kingma & Ba 2015 (arXiv 1412.6980), algorithm 1, and the end of its section 2 for the form with √c₂/c₁
 */
export function adamStep(state: AdamState, { gradient, factor }: ClippedGradient, step: AdamStep): AdamState {
  const { beta1, beta2, stepSize, epsilon } = step;
  const moved = multiply(gradient, multiply(factor, 1 - beta1));
  const firstMoment = add(multiply(state.firstMoment, beta1), moved);
  const squares = multiply(square(gradient), multiply(square(factor), 1 - beta2));
  const secondMoment = add(multiply(state.secondMoment, beta2), squares);
  const ratio = divide(firstMoment, add(sqrt(secondMoment), epsilon));
  return { parameters: subtract(state.parameters, multiply(ratio, stepSize)), firstMoment, secondMoment };
}

/**
 * The numbers of a step that do not depend on the gradient, in double precision: with c₁ = 1 − β₁ᵗ and c₂ = 1 − β₂ᵗ,
 * η·√c₂/c₁ and ε·√c₂.
 * @param step t, 1 at the first
 */
export function adamRates(
  { beta1, beta2, epsilon }: { readonly beta1: number; readonly beta2: number; readonly epsilon: number },
  learningRate: number,
  step: number,
): { readonly stepSize: number; readonly epsilon: number } {
  const root = Math.sqrt(1 - beta2 ** step);
  return { stepSize: (learningRate * root) / (1 - beta1 ** step), epsilon: epsilon * root };
}
