import type { Learner } from '../algorithms/contract.ts';
import type { MemberReward } from '../strategies/contract.ts';
import { type ActingSeats, actingLearners, actingPartner } from './acting-seats.ts';
import type { Crew } from './crew.ts';
import { presentLearners } from './driven-seats.ts';
import type { PlayedRound } from './played-round.ts';

export interface ActingMember {
  readonly learner: Learner;
  readonly acting: ActingSeats;
}

/** Who acts in a turn of a round, and where. */
export interface Cast {
  /** Who holds the learners' seats. */
  readonly member: ActingMember;
  /** Who is trained beside; null for nobody. */
  readonly partner: (ActingMember & { readonly reward: MemberReward }) | null;
  /** For each simulator of the pool, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
}

/** @throws DEFECT_INVARIANT when a partner is trained that holds no seat of the pool, or a seat waits for one */
export function castOf({ world, learners, pool }: PlayedRound, { turns, partner }: Crew, memberIndex: number): Cast {
  const acting = actingPartner(world, pool, partner);
  return {
    member: { learner: turns[memberIndex]!.member.learner, acting: actingLearners(world, learners, pool) },
    partner: partner && { learner: partner.learner, reward: partner.reward, acting },
    presentLearners: pool.map(({ simulator }) => presentLearners(learners, simulator)),
  };
}
