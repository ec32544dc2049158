import type { Expression } from '../graph/expression.ts';
import { initializePerceptron, multiLayerPerceptron, perceptronShapes, type Perceptron } from '../graph/layers.ts';
import { reshape } from '../graph/operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat, type ParameterLayout } from '../graph/parameters.ts';
import type { RandomStream } from '../../simulators/random.ts';

// Letters: M rows, I input features, A actions, P parameters.

export interface ActorCriticShape {
  readonly inputSize: number;
  readonly actionCount: number;
  readonly hiddenSizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
}

/** An actor and a critic of the same hidden layers, which share nothing: a shared trunk learnt worse (docs/decisions/010). */
export interface ActorCritic {
  readonly layout: ParameterLayout;
  readonly parameterCount: number;
  readonly actor: Perceptron;
  readonly critic: Perceptron;
}

export function createActorCritic({ inputSize, actionCount, hiddenSizes, activation }: ActorCriticShape): ActorCritic {
  const actor = { name: 'actor', sizes: [inputSize, ...hiddenSizes, actionCount], activation };
  const critic = { name: 'critic', sizes: [inputSize, ...hiddenSizes, 1], activation };
  const layout = layoutFromShapes({ ...perceptronShapes(actor), ...perceptronShapes(critic) });
  return { layout, parameterCount: layoutSize(layout), actor, critic };
}

/** Orthogonal weights, gain √2 in hidden layers, 0.01 at the policy's head (a nearly uniform start), 1 at the value's. */
export function initialParameters(
  { layout, parameterCount, actor, critic }: ActorCritic,
  random: RandomStream,
): Float32Array {
  const flat = new Float32Array(parameterCount);
  initializePerceptron(flat, layout, actor, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
  initializePerceptron(flat, layout, critic, { random, gains: { hidden: Math.SQRT2, last: 1 } });
  return flat;
}

/** Logits [M A] of the actor. @param flat shape [P] @param x shape [M I] */
export function actorLogits(network: ActorCritic, flat: Expression, x: Expression): Expression {
  return multiLayerPerceptron(x, parametersFromFlat(flat, network.layout), network.actor);
}

/** Values [M] of the critic, normalised. @param flat shape [P] @param x shape [M I] */
export function criticValues(network: ActorCritic, flat: Expression, x: Expression): Expression {
  const values = multiLayerPerceptron(x, parametersFromFlat(flat, network.layout), network.critic);
  return reshape(values, [x.shape[0]!]);
}

/** Views of the critic's last layer inside a flat vector: weight [H], bias [1]. */
export function valueHead(
  { layout, critic }: ActorCritic,
  flat: Float32Array,
): { weight: Float32Array; bias: Float32Array } {
  const last = critic.sizes.length - 2;
  const view = (part: string): Float32Array => {
    const { offset, shape } = layout[`critic.${last}.${part}`]!;
    return flat.subarray(offset, offset + shape.reduce((size, length) => size * length, 1));
  };
  return { weight: view('weight'), bias: view('bias') };
}
