import { ONE_LEARNER, type Member, type MemberReward, type PartnerChoice } from './contract.ts';
import { type PartnerSeat, seated } from './partner-seats.ts';

/** Name of the policy that is trained along in the seats of partners. */
const PARTNER = 'partner';

/** A policy that is trained in the seats of partners, from the episodes of the learners. */
export function trainedPartner(reward: MemberReward): Member {
  return { name: PARTNER, seats: 'partners', share: 1, reward, hyperparameters: {}, copies: PARTNER };
}

/**
 * Everybody's newest policy on the partners' seats: the learners' own where their role has learners, without gradient,
 * and otherwise one that is trained along, because nobody else has a policy for that role.
 */
export function currentPartner(name: string, seats: readonly PartnerSeat[], weight: number): PartnerChoice {
  const partners = seated(seats, ({ isRoleLearnt }) => ({ kind: isRoleLearnt ? 'self' : 'trained' }));
  return { name, weight, partners, reason: 'the newest policies' };
}

/** Who is trained so that `currentPartner` has somebody on every seat. */
export function currentMembers(seats: readonly PartnerSeat[]): readonly Member[] {
  return seats.every(({ isRoleLearnt }) => isRoleLearnt) ? ONE_LEARNER : [...ONE_LEARNER, trainedPartner('own')];
}

/** The member whose policy a seat's partner has. */
export function policyHolder({ isRoleLearnt }: PartnerSeat): string {
  return isRoleLearnt ? ONE_LEARNER[0]!.name : PARTNER;
}
