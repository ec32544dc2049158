import type { RandomStream } from '../../../../simulators/random.ts';
import { createWeights, lossGradient, type NetworkShape, type Samples } from './network.ts';

// Letters: n samples.

export interface FitOptions {
  /** J: minibatches that are gone through, so that the time does not depend on how many samples there are. */
  readonly steps: number;
  /** Samples of a step. */
  readonly minibatch: number;
  /** Of the first step; it falls in a straight line to 0 at the end. */
  readonly learningRate: number;
  /** Pull of every weight towards 0, as a multiple of the rate: few samples leave most of the weights to chance. */
  readonly weightDecay: number;
}

const MEAN_DECAY = 0.9;
const SQUARE_DECAY = 0.999;
const EPSILON = 1e-8;

/**
 * Weights that fit the samples: Adam on minibatches, in another order whenever all samples were seen, with weights that
 * decay. With g the gradient of step j = 1 … J, λ the learning rate, κ the decay, λⱼ = λ (1 − (j − 1)/J),
 *   m ← 0.9 m + 0.1 g,  v ← 0.999 v + 0.001 g²,
 *   w ← w − λⱼ ((m / (1 − 0.9ʲ)) / (√(v / (1 − 0.999ʲ)) + 10⁻⁸) + κ w).
 * @param samples at least one
 * @returns shape of the weights of `shape`, owned by the caller
 * @source Kingma, Ba: Adam (arXiv 1412.6980), algorithm 1; Loshchilov, Hutter: Decoupled Weight
 *   Decay Regularization (arXiv 1711.05101), algorithm 2
 */
export function fitNetwork(
  shape: NetworkShape,
  samples: Samples,
  { steps, minibatch, learningRate, weightDecay }: FitOptions,
  random: RandomStream,
): Float64Array {
  const weights = createWeights(shape, random);
  const gradient = new Float64Array(weights.length);
  const moments = { mean: new Float64Array(weights.length), square: new Float64Array(weights.length) };
  const order = Int32Array.from({ length: samples.count }, (_, row) => row);
  let first = order.length;
  for (let step = 1; step <= steps; step += 1) {
    if (first >= order.length) {
      random.shuffle(order);
      first = 0;
    }
    const rows = order.subarray(first, first + minibatch);
    first += minibatch;
    lossGradient(shape, weights, { samples, rows }, gradient);
    descend(weights, gradient, moments, { step, rate: learningRate * (1 - (step - 1) / steps), weightDecay });
  }
  return weights;
}

/** One step of Adam, in place. */
function descend(
  weights: Float64Array,
  gradient: Float64Array,
  { mean, square }: { readonly mean: Float64Array; readonly square: Float64Array },
  { step, rate, weightDecay }: { readonly step: number; readonly rate: number; readonly weightDecay: number },
): void {
  const meanShare = 1 - MEAN_DECAY ** step;
  const squareShare = 1 - SQUARE_DECAY ** step;
  for (let at = 0; at < weights.length; at += 1) {
    const slope = gradient[at]!;
    mean[at] = MEAN_DECAY * mean[at]! + (1 - MEAN_DECAY) * slope;
    square[at] = SQUARE_DECAY * square[at]! + (1 - SQUARE_DECAY) * slope * slope;
    const move = mean[at]! / meanShare / (Math.sqrt(square[at]! / squareShare) + EPSILON);
    weights[at]! -= rate * (move + weightDecay * weights[at]!);
  }
}
