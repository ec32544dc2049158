import type { World } from '../../simulators/contract.ts';
import type { PolicyDescription } from './contract.ts';
import type { NetworkSettings } from './settings/network-settings.ts';

/**
 * The policy of one group of seats. An identity is added where several learners share the network, because a single one
 * has nobody to be told from; and always where every seat has its own, because it chooses among them.
 *
 * @param learners seats that learn, of all groups
 * @param memorySize numbers that the policy carries from step to step
 */
export function describePolicy(
  world: Pick<World, 'groups'>,
  group: number,
  learners: readonly number[],
  { parameter_sharing: sharing, seat_identity: identity }: Pick<NetworkSettings, 'parameter_sharing' | 'seat_identity'>,
  memorySize = 0,
): PolicyDescription {
  const { seats, observationSize, actions, masked } = world.groups[group]!;
  const isShared = seats.filter((seat) => learners.includes(seat)).length > 1;
  const identitySize = sharing === 'none' || (identity && isShared) ? seats.length : 0;
  return {
    group,
    inputSize: observationSize + identitySize,
    identitySize,
    actions,
    isMasked: masked === true,
    memorySize,
  };
}
