import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import type { PolicyDescription } from '../../learning/algorithms/contract.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import { unknownName } from '../simulators/open-world.ts';
import { openPolicyFile, type PolicyFile } from '../policies/policy-file.ts';

/** A policy file, and the role of the seats that it is for; null where its shapes tell. */
export interface PolicyArgument {
  readonly file: string;
  readonly role: string | null;
}

/** A policy at the seats of a group. */
export interface SeatedPolicy extends Omit<PolicyFile, 'fitting'> {
  readonly description: PolicyDescription;
}

/**
 * Opens policies for the groups of seats that somebody has to play.
 * @param groups those that need a policy
 * @returns by group
 * @throws REQUEST_FILE_UNREADABLE, REQUEST_BAD_ARGUMENT or REQUEST_CONFLICT; nothing stays open then
 */
export async function seatPolicies(
  policies: readonly PolicyArgument[],
  { world, groups, states }: { world: World; groups: readonly number[]; states: StateNames },
): Promise<ReadonlyMap<number, SeatedPolicy>> {
  const opened: PolicyFile[] = [];
  try {
    for (const { file, role } of policies) {
      const wanted = role === null ? groups : [groupOfRole(world, role)];
      opened.push(await openPolicyFile(file, { world, groups: wanted, states }));
    }
    return assign(opened, world, groups);
  } catch (error) {
    await releaseAll(opened);
    throw error;
  }
}

export async function releaseAll(policies: Iterable<Pick<PolicyFile, 'model'>>): Promise<void> {
  await Promise.all([...new Set([...policies].map(({ model }) => model))].map((model) => model.release()));
}

function groupOfRole({ groups }: World, role: string): number {
  const group = groups.findIndex((seats) => seats.role === role);
  if (group >= 0) return group;
  const roles = groups.map((seats) => seats.role);
  throw unknownName('role', role, roles);
}

function assign(files: readonly PolicyFile[], world: World, groups: readonly number[]): Map<number, SeatedPolicy> {
  const seated = new Map<number, SeatedPolicy>();
  for (const { fitting, ...file } of files) {
    for (const description of fitting) {
      const other = seated.get(description.group);
      if (other !== undefined) throw twice(world, description.group, [other.file, file.file]);
      seated.set(description.group, { ...file, description });
    }
  }
  const missing = groups.find((group) => !seated.has(group));
  if (missing !== undefined) throw unplayed(world, missing);
  return seated;
}

function twice({ groups }: World, group: number, files: readonly string[]): ThawError {
  const roles = groups.map(({ role }) => role).join(', ');
  return new ThawError('REQUEST_BAD_ARGUMENT', `${files.join(' and ')} are both for ${groups[group]!.role}.`, {
    remedy: `Say which is for whom, by --policy ROLE=FILE with the roles ${roles}; give one policy for each.`,
  });
}

function unplayed({ groups }: World, group: number): ThawError {
  const { role, seats } = groups[group]!;
  return new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `Nobody plays ${role} (seats ${seats.join(', ')}): no partner holds every one of them everywhere, and no policy is for it.`,
    { remedy: `Add --policy ${role}=FILE, or give these seats scripted partners in every simulator.` },
  );
}
