import type { ActionArray, Batch, World } from '../../simulators/contract.ts';

// Letters: B environments, N seats, W numbers of an action; r rewards of a step, z all that happens in it, z₋ᵢ the same but
// for seat i, which does the default action.

/** What learners are rewarded with; what is reported are always the world's own rewards. */
export type RewardKind = 'own' | 'team' | 'difference';

export const REWARD_KINDS = ['own', 'team', 'difference'] as const satisfies readonly RewardKind[];

/**
 * The rewards of a step as learners are given them.
 *
 *     own         rᵢ
 *     team        G = Σ rⱼ over all seats, the same for everybody
 *     difference  Dᵢ = G(z) − G(z₋ᵢ), G of the step in which what is done now first shows
 *
 * Whatever a seat does that lowers its Dᵢ lowers G, and Dᵢ has less of what others did in it than G has. Both its terms
 * are foretold before the step, because what is done now may show only in a later one (`World.rewardLag`).
 *
 * @source Wolpert and Tumer: Optimal Payoff Functions for Members of Collectives (Advances in Complex Systems 4, 2001),
 *   the difference utility with the default action as the clamped one
 */
export class LearnedRewards {
  private readonly kind: RewardKind;
  private readonly seatCount: number;
  private readonly seats: readonly number[];
  /** Shape [B N] each. */
  private readonly learned: Float64Array;
  private readonly foretold: Float64Array;

  /**
   * @param world with a reward lag where the kind is `difference`
   * @param seats that somebody may learn on; the others' are left 0 where they cost something
   */
  constructor(kind: RewardKind, world: Pick<World, 'seatCount'>, environmentCount: number, seats: readonly number[]) {
    this.kind = kind;
    this.seatCount = world.seatCount;
    this.seats = seats;
    this.learned = new Float64Array(environmentCount * world.seatCount);
    this.foretold = new Float64Array(environmentCount * world.seatCount);
  }

  /** To be called with what everybody does, before it is done. @param actions shape [B N W] */
  foresee(batch: Batch, actions: ActionArray): void {
    if (this.kind !== 'difference') return;
    const { learned, seatCount } = this;
    const team = this.teamWithout(null, batch, actions);
    for (const seat of this.seats) {
      const without = this.teamWithout(seat, batch, actions);
      team.forEach((reward, environment) => {
        learned[environment * seatCount + seat] = reward - without[environment]!;
      });
    }
  }

  /** @param rewards shape [B N]: of the step, as the world gives them @returns shape [B N] */
  of(rewards: Float64Array): Float64Array {
    if (this.kind === 'own') return rewards;
    if (this.kind === 'team') {
      const { learned, seatCount } = this;
      teamRewards(rewards, seatCount).forEach((reward, environment) => {
        learned.fill(reward, environment * seatCount, (environment + 1) * seatCount);
      });
    }
    return this.learned;
  }

  /** Shape [B]: G(z₋ᵢ), or G(z). */
  private teamWithout(seat: number | null, batch: Batch, actions: ActionArray): Float64Array {
    batch.counterfactualRewards!(seat, actions, this.foretold);
    return teamRewards(this.foretold, this.seatCount);
  }
}

/** Shape [B]: G. */
function teamRewards(rewards: Float64Array, seatCount: number): Float64Array {
  const team = new Float64Array(rewards.length / seatCount);
  rewards.forEach((reward, at) => (team[Math.floor(at / seatCount)]! += reward));
  return team;
}
