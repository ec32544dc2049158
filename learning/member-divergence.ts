import type { Divergence } from './algorithms/contract.ts';
import type { TrainedMember } from './rollout/crew.ts';
import { leaderOf } from './strategies/leader.ts';

/** The first number of a member that was not finite. */
export interface MemberDivergence extends Divergence {
  /** Name of the member. */
  readonly member: string;
}

/**
 * The divergence that ends a run: of its policy, or of the partner beside it. Another member of a population may diverge:
 * it keeps the policy that it had before, and goes on from there or from a better one when the strategy decides next.
 */
export function divergenceAmong(members: readonly TrainedMember[]): MemberDivergence | null {
  const leader = leaderOf(members);
  for (const { name, seats, learner } of members) {
    const isNeeded = name === leader || seats === 'partners';
    if (isNeeded && learner.divergence !== null) return { member: name, ...learner.divergence };
  }
  return null;
}

/** In words, as the end of a sentence about a training: where it happened, and what was known just before. */
export function divergenceText({ member, optimizerStep, what, lastFinite }: MemberDivergence): string {
  const finite = Object.entries(lastFinite).map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  return (
    `${what} of ${member} was not finite in optimizer step ${optimizerStep + 1} of the run; ` +
    (finite.length === 0 ? 'nothing had been measured before' : `last finite: ${finite.join(', ')}`)
  );
}
