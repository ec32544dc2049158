import { ThawError } from '../../schemas/errors.ts';
import { arrayOfLength, type CheckpointArray } from '../checkpoint.ts';
import type { NamedArrays } from '../executor.ts';
import type { Expression } from '../graph/expression.ts';
import { add, constant, input, multiply, slice, subtract } from '../graph/operators.ts';
import { adamRates, adamStep, clippedByNorm } from '../graph/optimizer.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { sizeOf } from '../graph/shapes.ts';

// Letters: P parameters.

export const BETA_1 = 0.9;
export const BETA_2 = 0.999;

export interface OptimizerOptions {
  readonly kind: 'adam' | 'sgd';
  readonly adamEpsilon: number;
  readonly momentum: number;
  readonly gradientClip: number;
  /** Names of arrays of the layout, or beginnings of names, that stay as they are. */
  readonly frozen: readonly string[];
}

/** What decides which numbers a step is given. */
export type OptimizerKind = Pick<OptimizerOptions, 'kind' | 'adamEpsilon'>;

/** Parameters and the optimizer's moments, each [P], and how many steps were taken. */
export interface OptimizerState {
  parameters: Float32Array;
  firstMoment: Float32Array;
  secondMoment: Float32Array;
  stepCount: number;
}

/** An optimizer that has not taken a step. @param parameters shape [P], kept */
export function createOptimizerState(parameters: Float32Array): OptimizerState {
  return {
    parameters,
    firstMoment: new Float32Array(parameters.length),
    secondMoment: new Float32Array(parameters.length),
    stepCount: 0,
  };
}

/**
 * The half of a graph that follows the gradient: clip, then a step of Adam, or of gradient descent with momentum
 * (m ← μm + g, θ ← θ − ηm). Its inputs are those of `OptimizerBuffers`.
 *
 * @param flat the parameters, shape [P] @param gradient shape [P]
 * @returns the next state by the names of a graph's outputs, and the gradient's norm before it was clipped, a scalar
 */
export function optimizerStep(
  flat: Expression,
  gradient: Expression,
  layout: ParameterLayout,
  options: OptimizerOptions,
): { readonly next: Readonly<Record<string, Expression>>; readonly norm: Expression } {
  const [first, second] = ['first_moment', 'second_moment'].map((name) => input(name, flat.shape));
  // One input of two numbers, a step's size and its epsilon: each array that is given costs 2 µs a run.
  const rates = input('rates', [2]);
  const [stepSize, epsilon] = [slice(rates, 0, 0, 1), slice(rates, 0, 1, 2)];
  const clipped = clippedByNorm(thawed(gradient, layout, options.frozen), options.gradientClip);
  if (options.kind === 'sgd') {
    const step = add(multiply(first!, options.momentum), multiply(clipped.gradient, clipped.factor));
    const next = { parameters_next: subtract(flat, multiply(step, stepSize)), first_moment_next: step };
    return { next, norm: clipped.norm };
  }
  const next = adamStep({ parameters: flat, firstMoment: first!, secondMoment: second! }, clipped, {
    beta1: BETA_1,
    beta2: BETA_2,
    stepSize,
    epsilon,
  });
  return {
    next: {
      parameters_next: next.parameters,
      first_moment_next: next.firstMoment,
      second_moment_next: next.secondMoment,
    },
    norm: clipped.norm,
  };
}

/** A gradient that is 0 for frozen parameters; itself where none is. */
function thawed(gradient: Expression, layout: ParameterLayout, frozen: readonly string[]): Expression {
  if (frozen.length === 0) return gradient;
  const factors = new Float32Array(gradient.shape[0]!).fill(1);
  for (const { offset, shape } of frozenSlots(layout, frozen)) factors.fill(0, offset, offset + sizeOf(shape));
  return multiply(gradient, constant(factors));
}

/**
 * The arrays that are named whole or by a beginning that ends before a point.
 * @throws REQUEST_BAD_ARGUMENT when a name means nothing
 */
function frozenSlots(layout: ParameterLayout, frozen: readonly string[]) {
  return frozen.flatMap((name) => {
    const named = Object.keys(layout).filter((each) => each === name || each.startsWith(`${name}.`));
    if (named.length > 0) return named.map((each) => layout[each]!);
    const known = [...new Set(Object.keys(layout).map((each) => each.split('.').slice(0, 2).join('.')))];
    throw new ThawError('REQUEST_BAD_ARGUMENT', `no layer is called ${name}; there are ${known.join(', ')}`);
  });
}

/** The two states that a graph's runs read and write in turn, and the small inputs of their steps. */
export class OptimizerBuffers {
  /** Shape [S 2], see `optimizerStep`. */
  private readonly rates: Float32Array;
  private readonly options: OptimizerKind;
  private spare: OptimizerState;

  /** @param stepsMax most steps of one run, S */
  constructor(parameterCount: number, options: OptimizerKind, stepsMax = 1) {
    this.options = options;
    this.rates = new Float32Array(2 * stepsMax);
    this.spare = createOptimizerState(new Float32Array(parameterCount));
  }

  /** What a graph with an `optimizerStep` is given for the next steps, which have one learning rate. */
  inputs(state: OptimizerState, learningRate: number, stepCount = 1): NamedArrays {
    const { kind, adamEpsilon } = this.options;
    const constants = { beta1: BETA_1, beta2: BETA_2, epsilon: adamEpsilon };
    for (let step = 0; step < stepCount; step += 1) {
      const adam = adamRates(constants, learningRate, state.stepCount + step + 1);
      this.rates[2 * step] = kind === 'sgd' ? learningRate : adam.stepSize;
      this.rates[2 * step + 1] = adam.epsilon;
    }
    const moments = { parameters: state.parameters, first_moment: state.firstMoment, rates: this.rates };
    return kind === 'sgd' ? moments : { ...moments, second_moment: state.secondMoment };
  }

  /** Where it writes to. */
  outputs(): NamedArrays {
    const { parameters, firstMoment, secondMoment } = this.spare;
    const next = { parameters_next: parameters, first_moment_next: firstMoment };
    return this.options.kind === 'sgd' ? next : { ...next, second_moment_next: secondMoment };
  }

  /** Steps are done. @param state the one before, whose arrays are written next @returns the new one */
  advance(state: OptimizerState, stepCount = 1): OptimizerState {
    const next = this.spare;
    next.stepCount = state.stepCount + stepCount;
    this.spare = state;
    return next;
  }
}

/** What a checkpoint holds of an optimizer. */
export function optimizerArrays({ parameters, firstMoment, secondMoment, stepCount }: OptimizerState): {
  readonly [name: string]: Float32Array | Float64Array;
} {
  return { parameters, firstMoment, secondMoment, stepCount: Float64Array.of(stepCount) };
}

/**
 * @param owner whose they are, for the error
 * @throws REQUEST_CONFLICT when an array is missing or has another length
 */
export function optimizerFromArrays(
  arrays: Readonly<Record<string, CheckpointArray | undefined>>,
  parameterCount: number,
  owner: string,
): OptimizerState {
  const array = (name: string, length: number): CheckpointArray => arrayOfLength(arrays, name, length, owner);
  return {
    parameters: Float32Array.from(array('parameters', parameterCount)),
    firstMoment: Float32Array.from(array('firstMoment', parameterCount)),
    secondMoment: Float32Array.from(array('secondMoment', parameterCount)),
    stepCount: array('stepCount', 1)[0]!,
  };
}
