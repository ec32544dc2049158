import type { Expression, Graph } from '../graph/expression.ts';
import { gradients } from '../graph/gradients.ts';
import { graphFromOutputs } from '../graph/graph.ts';
import { add, concat, gatherRows, input, reshape, slice } from '../graph/operators.ts';
import { adamStep, clippedByNorm } from '../graph/optimizer.ts';
import { actorLogits, criticValues, type ActorCritic } from './actor-critic.ts';
import type { IppoParameters } from './ippo-parameters.ts';
import { ppoLoss } from './ppo-loss.ts';

// Letters: S samples of a block, M samples of a minibatch, C rows of a chunk, G rows of a grain, I input features,
// P parameters, D diagnostics of the loss.

export const BETA_1 = 0.9;
export const BETA_2 = 0.999;

/** Columns of the packed samples, shape [S 3]: one gather instead of three. */
export const SAMPLE_COLUMNS = 3;
export const COLUMN_ADVANTAGE = 0;
export const COLUMN_VALUE_TARGET = 1;
export const COLUMN_LOG_PROBABILITY = 2;

/** How many samples a block holds, and rows a graph takes at once. */
interface UpdateSize {
  readonly sampleCount: number;
  readonly rowCount: number;
}

/**
 * One optimizer step as one graph: gather the minibatch, forward, loss, backward, clip, Adam. The whole block is given
 * once and indexed inside, which costs 0.5 % where gathering in JavaScript cost 13–16 %.
 */
export function ppoUpdateGraph(
  network: ActorCritic,
  parameters: IppoParameters,
  { sampleCount, rowCount }: UpdateSize,
): Graph {
  const flat = input('parameters', [network.parameterCount]);
  const { rows, weights } = rowInputs(rowCount);
  const { gradient, diagnostics } = partGradient(network, parameters, { flat, rows, weights, sampleCount });
  const step = optimizerStep(flat, gradient, parameters);
  return graphFromOutputs({ ...step.next, diagnostics: concatScalars([...diagnostics, step.norm]) });
}

/**
 * The first half of a step whose minibatch is not computed at once: adds the gradients of a chunk's grains to what the
 * chunks before it gave, one after the other. The nodes of a grain are the same however many there are, so the bytes of
 * the sum do not depend on how grains are put into chunks.
 *
 * @param size.rowCount C, whole grains of `grainRows`
 */
export function ppoChunkGraph(
  network: ActorCritic,
  parameters: IppoParameters,
  { sampleCount, rowCount, grainRows }: UpdateSize & { readonly grainRows: number },
): Graph {
  const flat = input('parameters', [network.parameterCount]);
  const { rows, weights } = rowInputs(rowCount);
  let gradientSum = input('gradient', [network.parameterCount]);
  let lossSums: Expression | null = null;
  for (let start = 0; start < rowCount; start += grainRows) {
    const ofGrain = (vector: Expression) => slice(vector, 0, start, start + grainRows);
    const grain = { flat, rows: ofGrain(rows), weights: ofGrain(weights), sampleCount };
    const { gradient, diagnostics } = partGradient(network, parameters, grain);
    const losses = concatScalars(diagnostics);
    gradientSum = add(gradientSum, gradient);
    lossSums = add(lossSums ?? input('losses', losses.shape), losses);
  }
  return graphFromOutputs({ gradient_next: gradientSum, losses_next: lossSums! });
}

/** The second half of such a step: clip and Adam, from the gradient of the whole minibatch. */
export function ppoStepGraph(network: ActorCritic, parameters: IppoParameters): Graph {
  const flat = input('parameters', [network.parameterCount]);
  const step = optimizerStep(flat, input('gradient', [network.parameterCount]), parameters);
  return graphFromOutputs({ ...step.next, gradient_norm: reshape(step.norm, [1]) });
}

function rowInputs(rowCount: number): { rows: Expression; weights: Expression } {
  return { rows: input('rows', [rowCount], 'int32'), weights: input('weights', [rowCount]) };
}

interface Part {
  /** [P] */
  readonly flat: Expression;
  /** Shape [rows of the part], int32: indices of samples. */
  readonly rows: Expression;
  /** Shape [rows of the part]: shares in every mean of the whole minibatch. */
  readonly weights: Expression;
  readonly sampleCount: number;
}

/** What some rows of a minibatch add to its gradient [P] and to its diagnostics, scalars. */
function partGradient(
  network: ActorCritic,
  parameters: IppoParameters,
  { flat, rows, weights, sampleCount }: Part,
): { gradient: Expression; diagnostics: readonly Expression[] } {
  const x = gatherRows(input('inputs', [sampleCount, network.actor.sizes[0]!]), rows);
  const packed = gatherRows(input('samples', [sampleCount, SAMPLE_COLUMNS]), rows);
  const column = (index: number) => reshape(slice(packed, 1, index, index + 1), rows.shape);
  const { loss, diagnostics } = ppoLoss(
    {
      logits: actorLogits(network, flat, x),
      values: criticValues(network, flat, x),
      actions: gatherRows(input('actions', [sampleCount], 'int32'), rows),
      oldLogProbabilities: column(COLUMN_LOG_PROBABILITY),
      advantages: column(COLUMN_ADVANTAGE),
      valueTargets: column(COLUMN_VALUE_TARGET),
      weights,
    },
    {
      clip: parameters.clip,
      entropyCoefficient: parameters.entropy_coefficient,
      valueCoefficient: parameters.value_coefficient,
    },
  );
  return { gradient: gradients(loss, [flat])[0]!, diagnostics };
}

/** The state after a step along a gradient [P], by the names of a graph's outputs, and the gradient's norm, a scalar. */
function optimizerStep(flat: Expression, gradient: Expression, parameters: IppoParameters) {
  const [first, second] = ['first_moment', 'second_moment'].map((name) => input(name, flat.shape));
  const [rate, correction1, correction2] = ['learning_rate', 'bias_correction_1', 'bias_correction_2'].map((name) =>
    input(name, [1]),
  );
  const clipped = clippedByNorm(gradient, parameters.gradient_clip);
  const next = adamStep({ parameters: flat, firstMoment: first!, secondMoment: second! }, clipped.gradient, {
    beta1: BETA_1,
    beta2: BETA_2,
    epsilon: parameters.adam_epsilon,
    learningRate: rate!,
    biasCorrection1: correction1!,
    biasCorrection2: correction2!,
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

/** Scalars as one vector. */
function concatScalars(scalars: readonly Expression[]): Expression {
  return concat(
    scalars.map((scalar) => reshape(scalar, [1])),
    0,
  );
}
