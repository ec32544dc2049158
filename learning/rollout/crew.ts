import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import type { Learner } from '../algorithms/contract.ts';
import type { Member } from '../strategies/contract.ts';
import { blocksOfRound, blocksOfRun } from './turns.ts';

/** A policy that is trained in the run, with its networks. */
export interface TrainedMember extends Pick<Member, 'name' | 'seats' | 'share' | 'reward'> {
  readonly learner: Learner;
}

/** A member in the learners' seats, and the update blocks of the round that it plays. */
export interface Turn {
  readonly member: TrainedMember;
  readonly updateCount: number;
}

/** Who acts and learns in a round. */
export interface Crew {
  /** One after the other, the run's policy first. */
  readonly turns: readonly Turn[];
  /** Beside each of them; null when none is trained along. */
  readonly partner: TrainedMember | null;
}

/**
 * @param updateCount update blocks of the round @param updatesBefore those of the run before it
 * @throws DEFECT_INVARIANT without a learner, or with two partners
 */
export function crewOf(
  members: readonly TrainedMember[],
  { updateCount, updatesBefore }: { readonly updateCount: number; readonly updatesBefore: number },
): Crew {
  const learners = members.filter(({ seats }) => seats === 'learners');
  const partners = members.filter(({ seats }) => seats === 'partners');
  if (learners.length === 0 || partners.length > 1) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `a run trains at least one learner and at most one partner, not ${learners.length} and ${partners.length}`,
    );
  }
  const blocks = blocksOfRound(learners, updateCount, updatesBefore);
  return {
    turns: learners.map((member, index) => ({ member, updateCount: blocks[index]! })),
    partner: partners[0] ?? null,
  };
}

/** Update blocks that each member takes part in over the whole run, in the order of the members. */
export function memberUpdates(
  members: readonly Pick<Member, 'seats' | 'share'>[],
  updatesOfRound: readonly number[],
): number[] {
  const learners = members.filter(({ seats }) => seats === 'learners');
  const blocks = blocksOfRun(learners, updatesOfRound);
  const all = updatesOfRound.reduce((sum, updates) => sum + updates, 0);
  return members.map((member) => (member.seats === 'partners' ? all : blocks[learners.indexOf(member)]!));
}

/**
 * The seats that a member learns in, ascending.
 * @throws DEFECT_INVARIANT for a partner where all seats are the learners'
 */
export function seatsOfMember(
  { name, seats }: Pick<Member, 'name' | 'seats'>,
  world: World,
  learners: readonly number[],
): readonly number[] {
  if (seats === 'learners') return learners;
  const others = Array.from({ length: world.seatCount }, (_, seat) => seat).filter((seat) => !learners.includes(seat));
  if (others.length > 0) return others;
  throw new ThawError('DEFECT_INVARIANT', `${name} is to be trained beside the learners, who hold every seat`);
}
