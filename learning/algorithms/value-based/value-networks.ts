import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import type { Expression, Shape } from '../../graph/expression.ts';
import { layoutFromShapes, layoutSize, type ParameterLayout, parametersFromFlat } from '../../graph/parameters.ts';
import { createNetwork, createSeatNetworks, type Network } from '../../networks/network.ts';
import { actionHead } from '../../rollout/action-head.ts';
import { withInitialWeights } from '../../transfer/initial-weights.ts';
import type { LearnerSetup, PolicyDescription } from '../contract.ts';
import { memberKey } from '../member-key.ts';
import type { ValueParameters } from './parameters.ts';

// Letters: M rows, I input features, A actions, P parameters of everything.

/** What actions are worth to the seats of one group. */
export interface GroupNetwork {
  readonly policy: PolicyDescription;
  /** A */
  readonly actionCount: number;
  readonly network: Network;
  /** Of its own parameters alone; they are neighbours in the vector of all. */
  readonly layout: ParameterLayout;
  readonly offset: number;
}

/** Parameters that belong to no group, behind those of the groups. */
export interface SharedNetworks {
  readonly shapes: Readonly<Record<string, Shape>>;
  /** @param flat shape [P], written where they lie */
  initialize(flat: Float32Array, layout: ParameterLayout, random: RandomStream): void;
}

/** The networks of a learner in one vector [P], which one optimizer moves. */
export interface ValueNetworks {
  readonly groups: readonly GroupNetwork[];
  readonly shared: SharedNetworks;
  /** Names of a group's parameters begin with its number and a point. */
  readonly layout: ParameterLayout;
  /** P */
  readonly parameterCount: number;
}

export function createValueNetworks(
  policies: readonly PolicyDescription[],
  parameters: Pick<ValueParameters, 'hidden_sizes' | 'activation' | 'parameter_sharing'>,
  shared: SharedNetworks,
): ValueNetworks {
  const networks = policies.map((policy) => ({
    policy,
    actionCount: actionHead(policy.actions).outputSize,
    network: networkOf(policy, parameters),
  }));
  const shapes = networks.flatMap(({ policy, network }) =>
    Object.entries(network.shapes).map(([name, shape]) => [`${policy.group}.${name}`, shape] as const),
  );
  const layout = layoutFromShapes({ ...Object.fromEntries(shapes), ...shared.shapes });
  let offset = 0;
  const groups = networks.map((each): GroupNetwork => {
    const own = layoutFromShapes(each.network.shapes);
    offset += layoutSize(own);
    return { ...each, layout: own, offset: offset - layoutSize(own) };
  });
  return { groups, shared, layout, parameterCount: layoutSize(layout) };
}

function networkOf(
  { inputSize, identitySize, actions }: PolicyDescription,
  parameters: Pick<ValueParameters, 'hidden_sizes' | 'activation' | 'parameter_sharing'>,
): Network {
  const { hidden_sizes: hiddenSizes, activation } = parameters;
  const outputSize = actionHead(actions).outputSize;
  const shape = { name: 'values', inputSize, outputSize, hiddenSizes, activation, memorySize: 0 };
  return parameters.parameter_sharing === 'none' ? createSeatNetworks(shape, identitySize) : createNetwork(shape);
}

/** Orthogonal weights, gain √2 in hidden layers and 0.01 in the last: at first all actions are worth nearly nothing. */
export function initialValues(networks: ValueNetworks, setup: LearnerSetup): Float32Array {
  const flat = new Float32Array(networks.parameterCount);
  for (const { policy, network, layout, offset } of networks.groups) {
    const own = flat.subarray(offset, offset + layoutSize(layout));
    const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, policy.group));
    network.initialize(own, layout, { random, gains: { hidden: Math.SQRT2, last: 0.01 } });
    withInitialWeights(own, layout, setup.initial?.[policy.group]);
  }
  const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, networks.groups.length));
  networks.shared.initialize(flat, networks.layout, random);
  return flat;
}

/** What actions are worth to rows of a group: [M A]. @param all parameters by name @param x shape [M I] */
export function groupValues(
  { policy, network, layout }: GroupNetwork,
  all: Readonly<Record<string, Expression>>,
  x: Expression,
): Expression {
  const own = Object.keys(layout).map((name) => [name, all[`${policy.group}.${name}`]!] as const);
  return network.apply(x, Object.fromEntries(own), null).outputs;
}

/** The parameters of everything by name. @param flat shape [P] */
export function namedParameters({ layout }: ValueNetworks, flat: Expression): Readonly<Record<string, Expression>> {
  return parametersFromFlat(flat, layout);
}
