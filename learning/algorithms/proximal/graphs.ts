import type { LoopShape } from '../../executor.ts';
import type { Expression, Graph } from '../../graph/expression.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import {
  add,
  cast,
  concat,
  constant,
  equal,
  gatherRows,
  input,
  multiply,
  reduceSum,
  reshape,
  slice,
  where,
} from '../../graph/operators.ts';
import { parametersFromFlat } from '../../graph/parameters.ts';
import type { Sequences } from '../../networks/network.ts';
import { type OptimizerOptions, optimizerStep } from '../../optimization/optimizer.ts';
import { actionDensity } from '../../rollout/action-density.ts';
import { actorApplied, type ActorCritic, criticApplied, type Pass, valuesOf } from './actor-critic.ts';
import type { BlockSequences } from './gradient-rows.ts';
import { LOSS_DIAGNOSTICS, proximalLoss } from './loss.ts';
import { observed } from './observed.ts';
import type { ProximalParameters } from './parameters.ts';
import { columnOf, columnsOf, type SampleColumns } from './sample-columns.ts';

// Letters: S samples of a block, M samples of a minibatch, C rows of a chunk, G rows of a grain, I input features,
// J joint observations of a block, L steps of a sequence, Q sequences of rows, H numbers of a memory, P parameters,
// D diagnostics of the loss.

/** What the graphs of an update are made for. */
export interface UpdateProblem {
  readonly network: ActorCritic;
  readonly columns: SampleColumns;
  readonly parameters: ProximalParameters;
  readonly optimizer: OptimizerOptions;
  readonly block: BlockSize;
}

/** How much a block holds. */
export interface BlockSize extends BlockSequences {
  /** S */
  readonly sampleCount: number;
  /** J; 0 where nobody looks at them. */
  readonly jointCount: number;
}

/** How an update goes through its steps: what each is given of its own, and what it hands on to the next. */
export function updateLoop({ network, optimizer }: UpdateProblem, stepsMax: number): LoopShape {
  const moments = optimizer.kind === 'sgd' ? ['first_moment'] : ['first_moment', 'second_moment'];
  const carried = ['parameters', ...moments, 'diagnostics', 'finite_steps'].map((name) => [`${name}_next`, name]);
  const stepped = [
    ...['rows', 'weights', 'rates'],
    ...(network.jointSize > 0 ? ['joint_rows'] : []),
    ...(network.memorySize > 0 ? ['sequences'] : []),
  ];
  return { stepsMax, carried: Object.fromEntries(carried) as Record<string, string>, stepped };
}

/**
 * One optimizer step as one graph: gather the minibatch, forward, loss, backward, clip, step. The whole block is given
 * once and indexed inside, which costs 0.5 % where gathering in JavaScript cost 13–16 %.
 *
 * @param rowCount M
 */
export function updateGraph(problem: UpdateProblem, rowCount: number): Graph {
  const { network, optimizer } = problem;
  const flat = input('parameters', [network.parameterCount]);
  const { gradient, diagnostics } = partGradient(problem, flat, minibatchInputs(problem, rowCount));
  const step = optimizerStep(flat, gradient, network.layout, optimizer);
  return graphFromOutputs({ ...step.next, ...account(diagnostics, step.norm) });
}

/**
 * The first half of a step whose minibatch is not computed at once: adds the gradients of a chunk's grains to what the
 * chunks before it gave, one after the other. The nodes of a grain are the same however many there are, so the bytes of
 * the sum do not depend on how grains are put into chunks.
 *
 * @param rowCount C, whole grains of G rows
 */
export function chunkGraph(problem: UpdateProblem, rowCount: number, grainRows: number): Graph {
  const { parameterCount } = problem.network;
  const { sequenceSteps } = problem.block;
  const flat = input('parameters', [parameterCount]);
  const chunk = minibatchInputs(problem, rowCount);
  let gradientSum = input('gradient', [parameterCount]);
  let lossSums: Expression | null = null;
  for (let start = 0; start < rowCount; start += grainRows) {
    const cut = (vector: Expression, from: number, count: number) => slice(vector, 0, from, from + count);
    const ofGrain = (vector: Expression) => cut(vector, start, grainRows);
    const { gradient, diagnostics: losses } = partGradient(problem, flat, {
      rows: ofGrain(chunk.rows),
      weights: ofGrain(chunk.weights),
      jointRows: chunk.jointRows && ofGrain(chunk.jointRows),
      sequences: chunk.sequences && cut(chunk.sequences, start / sequenceSteps, grainRows / sequenceSteps),
    });
    gradientSum = add(gradientSum, gradient);
    lossSums = add(lossSums ?? input('losses', losses.shape), losses);
  }
  return graphFromOutputs({ gradient_next: gradientSum, losses_next: lossSums! });
}

/** The second half of such a step: clip and step, from the gradient and the losses of the whole minibatch. */
export function stepGraph({ network, optimizer }: UpdateProblem): Graph {
  const flat = input('parameters', [network.parameterCount]);
  const step = optimizerStep(flat, input('gradient', [network.parameterCount]), network.layout, optimizer);
  return graphFromOutputs({ ...step.next, ...account(input('losses', [LOSS_DIAGNOSTICS.length]), step.norm) });
}

/**
 * What is told of several steps: sums of their diagnostics, which stand still once they are not finite, and how many steps
 * were finite before that. @param losses shape [D] @param norm of the gradient, a scalar
 */
function account(losses: Expression, norm: Expression): Readonly<Record<string, Expression>> {
  const found = concat([losses, reshape(norm, [1])], 0);
  const before = input('diagnostics', found.shape);
  const sums = where(isFinite(before), add(before, found), before);
  const finite = cast(isFinite(sums), 'float32');
  return { diagnostics_next: sums, finite_steps_next: add(input('finite_steps', [1]), reshape(finite, [1])) };
}

/** Whether all entries are finite, a `bool` scalar: 0 times them is 0 then, and NaN otherwise. */
function isFinite(x: Expression): Expression {
  return equal(reduceSum(multiply(x, 0)), 0);
}

/** Some rows of a minibatch, by index. In sequences they lie step by step: row l·Q + q is step l of sequence q. */
interface Part {
  /** Shape [rows of the part], int32: indices of samples. */
  readonly rows: Expression;
  /** Shape [rows of the part]: shares in every mean of the whole minibatch. */
  readonly weights: Expression;
  /** Shape [rows of the part], int32: indices of what all seats saw; null where nobody looks at it. */
  readonly jointRows: Expression | null;
  /** Shape [Q], int32: indices of memories before the first step; null without a memory. */
  readonly sequences: Expression | null;
}

function minibatchInputs({ network, block }: UpdateProblem, rowCount: number): Part {
  return {
    rows: input('rows', [rowCount], 'int32'),
    weights: input('weights', [rowCount]),
    jointRows: network.jointSize > 0 ? input('joint_rows', [rowCount], 'int32') : null,
    sequences: network.memorySize > 0 ? input('sequences', [rowCount / block.sequenceSteps], 'int32') : null,
  };
}

/** What some rows of a minibatch add to its gradient [P] and to its diagnostics [D]. @param flat shape [P] */
function partGradient(
  problem: UpdateProblem,
  flat: Expression,
  part: Part,
): { gradient: Expression; diagnostics: Expression } {
  const { columns, parameters, block } = problem;
  const packed = gatherRows(input('samples', [block.sampleCount, columns.count]), part.rows);
  const { outputs, values } = evaluated(problem, flat, part, packed);
  const { actions } = problem.network.policy;
  const density = actionDensity(actions, outputs, columnsOf(packed, columns, 'mask'));
  const taken =
    columnsOf(packed, columns, 'action') ?? gatherRows(input('actions', [block.sampleCount], 'int32'), part.rows);
  const { loss, diagnostics } = proximalLoss(
    {
      logProbabilities: density.logProbabilities(taken),
      entropies: density.entropies,
      values,
      oldLogProbabilities: columnOf(packed, columns, 'logProbability')!,
      advantages: columnOf(packed, columns, 'advantage')!,
      valueTargets: columnOf(packed, columns, 'valueTarget')!,
      oldValues: columnOf(packed, columns, 'oldValue'),
      weights: part.weights,
      entropyCoefficient: entropyCoefficient(parameters),
    },
    { clip: parameters.clip, valueCoefficient: parameters.value_coefficient, valueClip: parameters.value_clip },
  );
  return { gradient: gradients(loss, [flat])[0]!, diagnostics };
}

/** An input only where it moves: what follows from a constant is formed when the graph is compiled. */
function entropyCoefficient({
  entropy_schedule: schedule,
  entropy_coefficient: initial,
}: ProximalParameters): Expression {
  return schedule === 'constant' ? constant(initial) : reshape(input('entropy_coefficient', [1]), []);
}

/** What the actor [M O] and the critic [M] make of the rows. @param packed shape [M K] */
function evaluated(
  { network, columns, parameters: { observation_normalization: isNormalized }, block }: UpdateProblem,
  flat: Expression,
  { rows, jointRows, sequences }: Part,
  packed: Expression,
): { outputs: Expression; values: Expression } {
  const parameters = parametersFromFlat(flat, network.layout);
  const { policy, jointSize, memorySize } = network;
  const x = observed(gatherRows(input('inputs', [block.sampleCount, policy.inputSize]), rows), isNormalized);
  const joint =
    jointRows && observed(gatherRows(input('joint', [block.jointCount, jointSize]), jointRows), isNormalized, 'joint');
  const start = sequences && gatherRows(input('memory', [block.sequenceCount, 2 * memorySize]), sequences);
  const pass =
    (place: number): Pass =>
    (part, seen) =>
      part.unroll(seen, parameters, start && sequencesFrom(start, place));
  const sequencesFrom = (memory: Expression, place: number): Sequences => ({
    start: slice(memory, 1, place * memorySize, (place + 1) * memorySize),
    keep: columnsOf(packed, columns, 'keep')!,
  });
  return {
    outputs: actorApplied(network, parameters, x, pass(0)).outputs,
    values: valuesOf(criticApplied(network, x, joint, pass(1))),
  };
}
