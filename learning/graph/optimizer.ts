import type { Expression } from './expression.ts';
import { add, divide, minimum, multiply, reduceSum, sqrt, square, subtract } from './operators.ts';

/** Keeps a vanishing gradient from being divided by zero. */
const NORM_EPSILON = 1e-6;

/**
 * The gradient shortened to a norm of at most `normMax`, and its norm before.
 * @param gradient [P], all parameters in one vector, so that its norm is the global one
 */
export function clippedByNorm(gradient: Expression, normMax: number): { gradient: Expression; norm: Expression } {
  const norm = sqrt(reduceSum(square(gradient)));
  const factor = minimum(divide(normMax, add(norm, NORM_EPSILON)), 1);
  return { gradient: multiply(gradient, factor), norm };
}

export interface AdamState {
  /** Parameters, first and second moment, each [P]. */
  readonly parameters: Expression;
  readonly firstMoment: Expression;
  readonly secondMoment: Expression;
}

export interface AdamStep {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** Scalar or [1]. */
  readonly learningRate: Expression;
  /** Scalars or [1]: 1 − β₁ᵗ and 1 − β₂ᵗ, t = 1 at the first step. The caller computes them in double precision. */
  readonly biasCorrection1: Expression;
  readonly biasCorrection2: Expression;
}

/**
 * One step of Adam: m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ − η · (m/c₁) / (√(v/c₂) + ε).
 *
 * ε stands outside of the root and after the bias correction, as in the paper and in PyTorch.
 *
 * @source Kingma & Ba 2015 (arXiv 1412.6980), algorithm 1
 */
export function adamStep(state: AdamState, gradient: Expression, step: AdamStep): AdamState {
  const firstMoment = add(multiply(state.firstMoment, step.beta1), multiply(gradient, 1 - step.beta1));
  const secondMoment = add(multiply(state.secondMoment, step.beta2), multiply(square(gradient), 1 - step.beta2));
  const rate = divide(step.learningRate, step.biasCorrection1);
  const denominator = add(sqrt(divide(secondMoment, step.biasCorrection2)), step.epsilon);
  const parameters = subtract(state.parameters, multiply(rate, divide(firstMoment, denominator)));
  return { parameters, firstMoment, secondMoment };
}
