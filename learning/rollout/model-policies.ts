import type { World } from '../../simulators/contract.ts';
import type { Learner, PolicyDescription } from '../algorithms/contract.ts';
import { describeModel, type PolicyModel } from './partner-policies.ts';

/**
 * Policies out of files in the place of a learner's own.
 * @param models by group of seats; groups that nobody asks for may be left out
 * @throws REQUEST_CONFLICT when a policy does not fit the seats of its group
 */
export function policiesOfModels(
  world: World,
  models: ReadonlyMap<number, PolicyModel>,
): Pick<Learner, 'policies' | 'createActor'> {
  const policies: PolicyDescription[] = [];
  for (const [group, model] of models) policies[group] = describeModel(world, group, model);
  return {
    policies,
    createActor: (group, rowCount) => models.get(group)!.createActor(rowCount, policies[group]!.actions),
  };
}
