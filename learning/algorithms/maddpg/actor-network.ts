import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import type { Expression } from '../../graph/expression.ts';
import { tanh } from '../../graph/operators.ts';
import { layoutFromShapes, layoutSize, type ParameterLayout, parametersFromFlat } from '../../graph/parameters.ts';
import { createNetwork, createSeatNetworks, type Network } from '../../networks/network.ts';
import type { LearnerSetup, PolicyDescription } from '../contract.ts';
import { memberKey } from '../member-key.ts';
import type { MaddpgParameters } from './parameters.ts';

// Letters: M rows, I input features, A numbers of an action as the critics see it, P parameters.

/** The actor of one group. */
export interface ActorNetwork {
  readonly network: Network;
  readonly layout: ParameterLayout;
  /** P */
  readonly parameterCount: number;
  /** A: of discrete actions one for each, of a box its own. */
  readonly actionSize: number;
}

export function createActorNetwork(policy: PolicyDescription, parameters: MaddpgParameters): ActorNetwork {
  const { actions, inputSize, identitySize } = policy;
  const actionSize = actions.kind === 'discrete' ? actions.count : actions.low.length;
  const shape = {
    name: 'actor',
    inputSize,
    outputSize: actionSize,
    hiddenSizes: parameters.hidden_sizes,
    activation: parameters.activation,
    memorySize: 0,
  };
  const network =
    parameters.parameter_sharing === 'none' ? createSeatNetworks(shape, identitySize) : createNetwork(shape);
  const layout = layoutFromShapes(network.shapes);
  return { network, layout, parameterCount: layoutSize(layout), actionSize };
}

/** Nearly the same output for all: every action alike, or the middle of a box. */
export function initialActor(
  { network, layout, parameterCount }: ActorNetwork,
  group: number,
  setup: Pick<LearnerSetup, 'seed' | 'memberIndex'>,
): Float32Array {
  const flat = new Float32Array(parameterCount);
  const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, group));
  network.initialize(flat, layout, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
  return flat;
}

/**
 * Logits [M A], or of a box numbers [M A] that tanh limits.
 * @param flat shape [P] @param x shape [M I]
 */
export function actorOutputs(actor: ActorNetwork, flat: Expression, x: Expression): Expression {
  return actor.network.apply(x, parametersFromFlat(flat, actor.layout), null).outputs;
}

/** The action of a box, scaled to [−1, 1]. @param outputs shape [M A] */
export function boxAction(outputs: Expression): Expression {
  return tanh(outputs);
}
