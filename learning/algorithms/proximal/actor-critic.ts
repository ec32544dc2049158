import type { RandomStream } from '../../../simulators/random.ts';
import type { Expression } from '../../graph/expression.ts';
import { broadcastTo, concat, matmul, reshape, slice } from '../../graph/operators.ts';
import { layoutFromShapes, layoutSize, type ParameterLayout } from '../../graph/parameters.ts';
import {
  type Applied,
  createNetwork,
  createSeatNetworks,
  type Network,
  type NetworkShape,
} from '../../networks/network.ts';
import { actionHead } from '../../rollout/action-head.ts';
import type { PolicyDescription } from '../contract.ts';
import type { ProximalParameters } from './parameters.ts';

// Letters: M rows, I input features, G seats of the group, C numbers that all seats see together, D numbers of a box,
// H numbers of a memory, P parameters.

/** Of a box: one free parameter for each number, e^−0.5 ≈ 0.6 of half its range at the start. */
const LOG_DEVIATION = 'actor.log_deviation';
const LOG_DEVIATION_START = -0.5;

/** An actor and a critic of the same hidden layers, which share nothing: a shared trunk learnt worse (docs/decisions/010). */
export interface ActorCritic {
  readonly policy: Pick<PolicyDescription, 'inputSize' | 'identitySize' | 'actions'>;
  /** C; 0 for a critic that sees what the actor sees. */
  readonly jointSize: number;
  /** H, of the actor and of the critic each; 0 for none. */
  readonly memorySize: number;
  readonly layout: ParameterLayout;
  readonly parameterCount: number;
  readonly actor: Network;
  readonly critic: Network;
  /** Names of the critic's last layers: one, or one for each seat. */
  readonly valueHeads: readonly string[];
}

type Settings = Pick<ProximalParameters, 'hidden_sizes' | 'activation' | 'parameter_sharing' | 'recurrent'>;

export function createActorCritic(
  policy: ActorCritic['policy'],
  jointSize: number,
  { hidden_sizes: hiddenSizes, activation, parameter_sharing: sharing, recurrent }: Settings,
): ActorCritic {
  const { inputSize, identitySize, actions } = policy;
  const memorySize = recurrent?.units ?? 0;
  const seatCount = sharing === 'none' ? identitySize : 0;
  const create = (shape: Pick<NetworkShape, 'name' | 'inputSize' | 'outputSize'>): Network => {
    const whole = { ...shape, hiddenSizes, activation, memorySize };
    return seatCount > 0 ? createSeatNetworks(whole, seatCount) : createNetwork(whole);
  };
  const { outputSize, actionSize } = actionHead(actions);
  const actor = create({ name: 'actor', inputSize, outputSize: actions.kind === 'box' ? actionSize : outputSize });
  const criticInputSize = jointSize === 0 ? inputSize : jointSize + identitySize;
  const critic = create({ name: 'critic', inputSize: criticInputSize, outputSize: 1 });
  const deviations = actions.kind === 'box' ? { [LOG_DEVIATION]: [Math.max(1, seatCount), actionSize] } : {};
  const layout = layoutFromShapes({ ...actor.shapes, ...deviations, ...critic.shapes });
  const prefixes = seatCount > 0 ? Array.from({ length: seatCount }, (_, seat) => `critic.seat${seat}`) : ['critic'];
  const last = memorySize > 0 ? 'head.0' : String(hiddenSizes.length);
  return {
    policy,
    jointSize,
    memorySize,
    layout,
    parameterCount: layoutSize(layout),
    actor,
    critic,
    valueHeads: prefixes.map((prefix) => `${prefix}.${last}`),
  };
}

/** Orthogonal weights, gain √2 in hidden layers, 0.01 at the policy's head (a nearly uniform start), 1 at the value's. */
export function initialParameters(
  { layout, parameterCount, actor, critic }: ActorCritic,
  random: RandomStream,
): Float32Array {
  const flat = new Float32Array(parameterCount);
  actor.initialize(flat, layout, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
  critic.initialize(flat, layout, { random, gains: { hidden: Math.SQRT2, last: 1 } });
  const deviation = layout[LOG_DEVIATION];
  if (deviation === undefined) return flat;
  const [seats, numbers] = deviation.shape as readonly [number, number];
  return flat.fill(LOG_DEVIATION_START, deviation.offset, deviation.offset + seats * numbers);
}

/** Names of the arrays that acting needs. */
export function actorNames({ layout }: ActorCritic): string[] {
  return Object.keys(layout).filter((name) => name.startsWith('actor.'));
}

/** How rows go through a network: once each, or as sequences. */
export type Pass = (network: Network, x: Expression) => Applied;

/** What the actor makes of rows, outputs as `actionHead` reads them. @param x shape [M I] */
export function actorApplied(
  { policy, actor }: ActorCritic,
  parameters: Readonly<Record<string, Expression>>,
  x: Expression,
  pass: Pass,
): Applied {
  const applied = pass(actor, x);
  const deviations = parameters[LOG_DEVIATION];
  if (policy.actions.kind === 'discrete' || deviations === undefined) return applied;
  const [seatCount, size] = deviations.shape as readonly [number, number];
  const ofRows =
    seatCount === 1 ? broadcastTo(deviations, [x.shape[0]!, size]) : matmul(identityOf(policy, x), deviations);
  return { outputs: concat([applied.outputs, ofRows], 1), memory: applied.memory };
}

/**
 * What the critic makes of rows, normalised values [M 1].
 * @param x shape [M I] @param joint shape [M C]; null for a critic that sees what the actor sees
 */
export function criticApplied(
  { policy, critic }: ActorCritic,
  x: Expression,
  joint: Expression | null,
  pass: Pass,
): Applied {
  if (joint === null) return pass(critic, x);
  return pass(critic, policy.identitySize === 0 ? joint : concat([joint, identityOf(policy, x)], 1));
}

/** Values as a vector [M]. */
export function valuesOf({ outputs }: Applied): Expression {
  return reshape(outputs, [outputs.shape[0]!]);
}

/** One-hot of the seats [M G]. */
function identityOf({ inputSize, identitySize }: ActorCritic['policy'], x: Expression): Expression {
  return slice(x, 1, inputSize - identitySize, inputSize);
}

/** Views of the critic's last layers inside a flat vector: weights [H 1], bias [1] each. */
export function valueHeadsOf(
  { layout, valueHeads }: ActorCritic,
  flat: Float32Array,
): { weight: Float32Array; bias: Float32Array }[] {
  const view = (name: string): Float32Array => {
    const { offset, shape } = layout[name]!;
    return flat.subarray(offset, offset + shape.reduce((size, length) => size * length, 1));
  };
  return valueHeads.map((name) => ({ weight: view(`${name}.weight`), bias: view(`${name}.bias`) }));
}
