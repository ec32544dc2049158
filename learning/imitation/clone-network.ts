import type { ActionSpace } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { exportedPolicyGraph, legalLogits, type PolicyGraph } from '../algorithms/exported-policy.ts';
import type { Expression, Graph } from '../graph/expression.ts';
import { gradients } from '../graph/gradients.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { initializePerceptron, multiLayerPerceptron, type Perceptron, perceptronShapes } from '../graph/layers.ts';
import {
  add,
  clip,
  concat,
  divide,
  exp,
  input,
  logSoftmax,
  multiply,
  negate,
  pick,
  reduceMean,
  reduceSum,
  slice,
  square,
  subtract,
} from '../graph/operators.ts';
import { layoutFromShapes, layoutSize, type ParameterLayout, parametersFromFlat } from '../graph/parameters.ts';
import { normalizedObservations, type ObservationMoments } from '../normalization/observation-moments.ts';
import { optimizerStep, type OptimizerOptions } from '../optimization/optimizer.ts';
import { actionHead } from '../rollout/action-head.ts';
import { OBSERVATION_MEAN, OBSERVATION_SCALE, weightsWithMoments } from '../transfer/moments.ts';
import { constantsFrom } from '../transfer/named-weights.ts';
import { LOG_DEVIATION_MIN } from './marginal-baseline.ts';

// Letters: M rows, I observation features, A actions, D numbers of a box, O outputs, P parameters.

const LOG_DEVIATION_MAX = 2;
/** The deviations of a box are parameters of their own, the same in every state. */
const LOG_DEVIATION = 'clone.log_std';

/** The network of a clone: a perceptron from what a seat sees to a distribution over its actions. */
export interface CloneNetwork {
  readonly inputSize: number;
  readonly space: ActionSpace;
  /** Whether it is fitted with what was legal. */
  readonly isMasked: boolean;
  readonly perceptron: Perceptron;
  readonly layout: ParameterLayout;
}

export function createCloneNetwork(
  { inputSize, space, isMasked }: Pick<CloneNetwork, 'inputSize' | 'space' | 'isMasked'>,
  hiddenSizes: readonly number[],
): CloneNetwork {
  const outputs = space.kind === 'discrete' ? space.count : space.low.length;
  const perceptron: Perceptron = { name: 'clone', sizes: [inputSize, ...hiddenSizes, outputs], activation: 'tanh' };
  const deviations = space.kind === 'discrete' ? {} : { [LOG_DEVIATION]: [outputs] };
  return {
    inputSize,
    space,
    isMasked,
    perceptron,
    layout: layoutFromShapes({ ...perceptronShapes(perceptron), ...deviations }),
  };
}

/** Shape [P]. */
export function initialClone({ perceptron, layout }: CloneNetwork, seed: number): Float32Array {
  const flat = new Float32Array(layoutSize(layout));
  const random = new RandomStream(keyFrom(seed, PURPOSE.cloning, 0));
  initializePerceptron(flat, layout, perceptron, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
  return flat;
}

/** Shape [M O], as `actionHead` reads it. @param x shape [M I] @param mean shape [I] @param scale shape [I] */
function outputsOf(
  { space, perceptron }: CloneNetwork,
  parameters: Readonly<Record<string, Expression>>,
  { x, mean, scale }: { x: Expression; mean: Expression; scale: Expression },
): Expression {
  const made = multiLayerPerceptron(normalizedObservations(x, mean, scale), parameters, perceptron);
  if (space.kind === 'discrete') return made;
  const deviation = clip(parameters[LOG_DEVIATION]!, LOG_DEVIATION_MIN, LOG_DEVIATION_MAX);
  return concat([made, add(multiply(made, 0), deviation)], 1);
}

function inputsOf({ inputSize }: CloneNetwork, rowCount: number) {
  return {
    x: input('observations', [rowCount, inputSize]),
    mean: input('mean', [inputSize]),
    scale: input('scale', [inputSize]),
  };
}

/** The outputs of M rows, where illegal actions have next to no probability. */
function legalOutputs(network: CloneNetwork, flat: Expression, rowCount: number): Expression {
  const outputs = outputsOf(network, parametersFromFlat(flat, network.layout), inputsOf(network, rowCount));
  return legalLogits(outputs, network.isMasked ? input('masks', [rowCount, outputs.shape[1]!]) : null);
}

/** M rows of observations → `outputs`, shape [M O]. */
export function judgingGraph(network: CloneNetwork, rowCount: number): Graph {
  const flat = input('parameters', [layoutSize(network.layout)]);
  return graphFromOutputs({ outputs: legalOutputs(network, flat, rowCount) });
}

/**
 * One step on M samples: forward, loss, backward, clip, Adam. The loss is the mean negative log likelihood, of discrete
 * actions the cross-entropy −log softmax(z)ₐ, of a box Σ (u − μ)² / 2σ² + log σ without its constant.
 */
export function cloningGraph(network: CloneNetwork, rowCount: number, optimizer: OptimizerOptions): Graph {
  const flat = input('parameters', [layoutSize(network.layout)]);
  const outputs = legalOutputs(network, flat, rowCount);
  const loss = network.space.kind === 'discrete' ? crossEntropy(outputs) : gaussianLoss(outputs);
  const step = optimizerStep(flat, gradients(loss, [flat])[0]!, network.layout, optimizer);
  return graphFromOutputs(step.next);
}

function crossEntropy(logits: Expression): Expression {
  return negate(reduceMean(pick(logSoftmax(logits), input('actions', [logits.shape[0]!], 'int32'))));
}

function gaussianLoss(outputs: Expression): Expression {
  const [rows, width] = outputs.shape as readonly [number, number];
  const size = width / 2;
  const mean = slice(outputs, 1, 0, size);
  const logDeviation = slice(outputs, 1, size, width);
  const distance = divide(subtract(input('actions', [rows, size]), mean), exp(logDeviation));
  return reduceMean(reduceSum(add(multiply(square(distance), 0.5), logDeviation), [1]));
}

/** The clone as a policy that leaves the house, for a seat of a group. */
export function clonedPolicy(
  network: CloneNetwork,
  values: Float32Array,
  { group, isMasked, moments }: { group: number; isMasked: boolean; moments: ObservationMoments },
): PolicyGraph {
  const { inputSize, space: actions, layout } = network;
  const weights = weightsWithMoments({ layout, values }, moments);
  const parameters = constantsFrom(weights);
  const apply = (x: Expression) => ({
    outputs: outputsOf(network, parameters, {
      x,
      mean: parameters[OBSERVATION_MEAN]!,
      scale: parameters[OBSERVATION_SCALE]!,
    }),
    memory: null,
  });
  const policy = { group, inputSize, identitySize: 0, actions, isMasked, memorySize: 0 };
  return exportedPolicyGraph(policy, apply, weights);
}

/** Numbers of a row of outputs. */
export function outputSizeOf({ space }: CloneNetwork): number {
  return actionHead(space).outputSize;
}
