import { assertShapes } from '../../../../schemas/assert-shapes.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import { fitNetwork, type FitOptions } from './fit-network.ts';
import { type Activations, createActivations, evaluate, type NetworkShape } from './network.ts';
import { type Standardization, standardizationOf } from './standardization.ts';
import type { Transition } from './transitions.ts';

// Letters: n transitions, N seats, A actions (or numbers of a box), S numbers of a state, D = S + N·A inputs, K = S + 1
// outputs.

const HIDDEN_UNITS = 32;
/** Chosen by the error on held-out transitions of the built-in worlds and by time; see docs/decisions/028. */
const FIT: FitOptions = { steps: 640, minibatch: 16, learningRate: 0.02, weightDecay: 0.3 };

/**
 * A guess of the world's next step. Inputs are the standardised state and, for every seat, its action as one of A, or the numbers of its box; outputs
 * are the standardised change of the state and the reward. It does not see the parameters of the simulator: failures are few, and
 * what differs between them most, the partners, is seen in what they do.
 */
export interface WorldModel {
  readonly shape: NetworkShape;
  readonly weights: Float64Array;
  /** A; null where actions are boxes. */
  readonly actionCount: number | null;
  /** Of S numbers. */
  readonly state: Standardization;
  /** Of S + 1 numbers. */
  readonly outcome: Standardization;
}

/**
 * @param transitions at least one, with equally long states and equally many seats
 * @param actionCount A, larger than any action; null where actions are boxes
 * @throws DEFECT_SHAPE_MISMATCH when an outcome is not one number longer than a state
 */
export function fitWorldModel(
  transitions: readonly Transition[],
  actionCount: number | null,
  random: RandomStream,
): WorldModel {
  const [{ state: first, actions, outcome: firstOutcome }] = transitions as [Transition];
  assertShapes({ state: [[first.length], 'S'], outcome: [[firstOutcome.length], 'S+1'] });
  const state = standardizationOf(transitions.map((transition) => transition.state));
  const outcome = standardizationOf(transitions.map((transition) => transition.outcome));
  const shape = {
    inputs: first.length + actions.length * (actionCount ?? 1),
    hidden: HIDDEN_UNITS,
    outputs: firstOutcome.length,
  };
  const inputs = new Float64Array(transitions.length * shape.inputs);
  const targets = new Float64Array(transitions.length * shape.outputs);
  transitions.forEach((transition, row) => {
    writeInputs({ actionCount, state }, transition, inputs.subarray(row * shape.inputs, (row + 1) * shape.inputs));
    transition.outcome.forEach((value, at) => {
      targets[row * shape.outputs + at] = (value - outcome.mean[at]!) / outcome.scale[at]!;
    });
  });
  const weights = fitNetwork(shape, { count: transitions.length, inputs, targets }, FIT, random);
  return { shape, weights, actionCount, state, outcome };
}

/** Arrays that predictions are made in, so that a step allocates nothing. */
export interface Prediction {
  readonly inputs: Float64Array;
  readonly activations: Activations;
  /** Shape [S+1]: the change of the state, and the reward, in their own units. */
  readonly outcome: Float64Array;
}

export function createPrediction({ shape }: WorldModel): Prediction {
  return {
    inputs: new Float64Array(shape.inputs),
    activations: createActivations(shape),
    outcome: new Float64Array(shape.outputs),
  };
}

/**
 * What one step changes. The outputs of the network are bounded, as tanh is: a state far from all that were seen moves no
 * faster than any of those, and a long rollout cannot blow up.
 * @param step the state, shape [S], and the actions, shape [N], or [N A] of boxes
 * @param prediction overwritten
 */
export function predictStep(
  model: WorldModel,
  step: { readonly state: ArrayLike<number>; readonly actions: ArrayLike<number> },
  prediction: Prediction,
): void {
  const { inputs, activations, outcome } = prediction;
  writeInputs(model, step, inputs);
  evaluate(model.shape, model.weights, { inputs, row: 0 }, activations);
  for (let at = 0; at < outcome.length; at += 1) {
    outcome[at] = model.outcome.mean[at]! + model.outcome.scale[at]! * activations.outputs[at]!;
  }
}

/** @param inputs shape [D], overwritten */
function writeInputs(
  { actionCount, state }: Pick<WorldModel, 'actionCount' | 'state'>,
  step: { readonly state: ArrayLike<number>; readonly actions: ArrayLike<number> },
  inputs: Float64Array,
): void {
  inputs.fill(0);
  for (let at = 0; at < step.state.length; at += 1) {
    inputs[at] = (step.state[at]! - state.mean[at]!) / state.scale[at]!;
  }
  for (let at = 0; at < step.actions.length; at += 1) {
    if (actionCount === null) inputs[step.state.length + at] = step.actions[at]!;
    else inputs[step.state.length + at * actionCount + step.actions[at]!] = 1;
  }
}
