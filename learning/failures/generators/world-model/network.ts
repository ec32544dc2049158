import { ThawError } from '../../../../schemas/errors.ts';
import type { RandomStream } from '../../../../simulators/random.ts';

// Letters: D inputs, H hidden units, K outputs, n samples, B samples of a minibatch.

/**
 * A network with one hidden layer: ŷ = b₂ + tanh(b₁ + x·W₁)·W₂, x of shape [D], ŷ of shape [K].
 *
 * It is arithmetic on typed arrays and not an expression of `learning/graph`: strategies are synchronous pure functions,
 * which have no executor to run a graph with, and some thousand weights fitted to some hundred samples need none.
 */
export interface NetworkShape {
  /** D. */
  readonly inputs: number;
  /** H. */
  readonly hidden: number;
  /** K. */
  readonly outputs: number;
}

/** What a network is fitted to. */
export interface Samples {
  /** n. */
  readonly count: number;
  /** Shape [n D]. */
  readonly inputs: Float64Array;
  /** Shape [n K]. */
  readonly targets: Float64Array;
}

/** Numbers that one evaluation leaves behind, so that nothing is allocated within loops. */
export interface Activations {
  /** Shape [H]: tanh(b₁ + x·W₁). */
  readonly hidden: Float64Array;
  /** Shape [K]: ŷ. */
  readonly outputs: Float64Array;
}

/** Where the parts begin in the flat vector of weights: W₁ [D H], b₁ [H], W₂ [H K], b₂ [K]. */
interface Places {
  readonly hiddenBias: number;
  readonly outputWeights: number;
  readonly outputBias: number;
  readonly size: number;
}

function placesOf({ inputs, hidden, outputs }: NetworkShape): Places {
  const hiddenBias = inputs * hidden;
  const outputWeights = hiddenBias + hidden;
  const outputBias = outputWeights + hidden * outputs;
  return { hiddenBias, outputWeights, outputBias, size: outputBias + outputs };
}

/** Length of the flat vector of weights. */
export function weightCount(shape: NetworkShape): number {
  return placesOf(shape).size;
}

export function createActivations({ hidden, outputs }: NetworkShape): Activations {
  return { hidden: new Float64Array(hidden), outputs: new Float64Array(outputs) };
}

/** W₁ ~ N(0, 1/D) and W₂ ~ N(0, 1/H), so that standardised inputs give sums of variance about 1; biases are 0. */
export function createWeights(shape: NetworkShape, random: RandomStream): Float64Array {
  const { hiddenBias, outputWeights, outputBias, size } = placesOf(shape);
  const weights = new Float64Array(size);
  for (let at = 0; at < hiddenBias; at += 1) weights[at] = random.nextNormal() / Math.sqrt(shape.inputs);
  for (let at = outputWeights; at < outputBias; at += 1) weights[at] = random.nextNormal() / Math.sqrt(shape.hidden);
  return weights;
}

/**
 * ŷ of one sample.
 * @param weights as `createWeights` lays them out
 * @param inputs shape [n D]
 * @param row the sample, 0 … n − 1
 * @param activations overwritten
 */
export function evaluate(
  shape: NetworkShape,
  weights: Float64Array,
  sample: { readonly inputs: Float64Array; readonly row: number },
  activations: Activations,
): void {
  const { hiddenBias, outputWeights, outputBias } = placesOf(shape);
  const { hidden, outputs } = activations;
  for (let unit = 0; unit < shape.hidden; unit += 1) hidden[unit] = weights[hiddenBias + unit]!;
  for (let input = 0; input < shape.inputs; input += 1) {
    const value = sample.inputs[sample.row * shape.inputs + input]!;
    // Most inputs are the zeros of actions that were not taken.
    if (value === 0) continue;
    const first = input * shape.hidden;
    for (let unit = 0; unit < shape.hidden; unit += 1) hidden[unit]! += value * weights[first + unit]!;
  }
  for (let output = 0; output < shape.outputs; output += 1) outputs[output] = weights[outputBias + output]!;
  for (let unit = 0; unit < shape.hidden; unit += 1) {
    const value = Math.tanh(hidden[unit]!);
    hidden[unit] = value;
    const first = outputWeights + unit * shape.outputs;
    for (let output = 0; output < shape.outputs; output += 1) outputs[output]! += value * weights[first + output]!;
  }
}

/**
 * The loss of a minibatch, L = (1 / 2B) Σᵢ Σₖ (ŷᵢₖ − yᵢₖ)², and its gradient, by the chain rule: with δ = (ŷ − y) / B
 * and η = (W₂·δ)(1 − h²), h the hidden units,
 *   ∂L/∂W₂ = Σᵢ h δ,  ∂L/∂b₂ = Σᵢ δ,  ∂L/∂W₁ = Σᵢ x η,  ∂L/∂b₁ = Σᵢ η.
 * @param rows of the minibatch, each 0 … n − 1, at least one
 * @param gradient shape of the weights, overwritten
 * @returns L
 * @throws DEFECT_SHAPE_MISMATCH when samples or weights do not fit the shape
 */
export function lossGradient(
  shape: NetworkShape,
  weights: Float64Array,
  { samples, rows }: { readonly samples: Samples; readonly rows: Int32Array },
  gradient: Float64Array,
): number {
  assertFit(shape, samples, weights);
  const activations = createActivations(shape);
  const delta = new Float64Array(shape.outputs);
  gradient.fill(0);
  let loss = 0;
  for (const row of rows) {
    evaluate(shape, weights, { inputs: samples.inputs, row }, activations);
    for (let output = 0; output < shape.outputs; output += 1) {
      const error = activations.outputs[output]! - samples.targets[row * shape.outputs + output]!;
      loss += (error * error) / (2 * rows.length);
      delta[output] = error / rows.length;
    }
    addSampleGradient(shape, weights, { samples, row, hidden: activations.hidden, delta }, gradient);
  }
  return loss;
}

function addSampleGradient(
  shape: NetworkShape,
  weights: Float64Array,
  sample: {
    readonly samples: Samples;
    readonly row: number;
    /** Shape [H]; on return, shape [H] of η. */
    readonly hidden: Float64Array;
    /** Shape [K]. */
    readonly delta: Float64Array;
  },
  gradient: Float64Array,
): void {
  const { samples, row, hidden, delta } = sample;
  const { hiddenBias, outputWeights, outputBias } = placesOf(shape);
  for (let output = 0; output < shape.outputs; output += 1) gradient[outputBias + output]! += delta[output]!;
  for (let unit = 0; unit < shape.hidden; unit += 1) {
    const value = hidden[unit]!;
    const first = outputWeights + unit * shape.outputs;
    let sum = 0;
    for (let output = 0; output < shape.outputs; output += 1) {
      sum += weights[first + output]! * delta[output]!;
      gradient[first + output]! += value * delta[output]!;
    }
    const eta = sum * (1 - value * value);
    gradient[hiddenBias + unit]! += eta;
    hidden[unit] = eta;
  }
  for (let input = 0; input < shape.inputs; input += 1) {
    const value = samples.inputs[row * shape.inputs + input]!;
    if (value === 0) continue;
    const first = input * shape.hidden;
    for (let unit = 0; unit < shape.hidden; unit += 1) gradient[first + unit]! += value * hidden[unit]!;
  }
}

function assertFit(shape: NetworkShape, { count, inputs, targets }: Samples, weights: Float64Array): void {
  const isFit =
    inputs.length === count * shape.inputs &&
    targets.length === count * shape.outputs &&
    weights.length === weightCount(shape);
  if (!isFit) {
    throw new ThawError(
      'DEFECT_SHAPE_MISMATCH',
      `${count} samples and ${weights.length} weights do not fit the network`,
    );
  }
}
