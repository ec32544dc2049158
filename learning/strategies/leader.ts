import { ThawError } from '../../schemas/errors.ts';
import type { Member } from './contract.ts';

/** The member that is the run's policy: the first in the learners' seats. */
export function leaderOf(members: readonly Pick<Member, 'name' | 'seats'>[]): string {
  const leader = members.find(({ seats }) => seats === 'learners');
  if (leader === undefined) throw new ThawError('DEFECT_INVARIANT', 'nobody is in the seats of the learners');
  return leader.name;
}
