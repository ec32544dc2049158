import type { Member } from '../strategies/contract.ts';

// Letters: M members, U update blocks of a round, s shares, b blocks.

type Sharing = Pick<Member, 'share'>;

/**
 * How many of a round's update blocks each member plays: its share in whole blocks, by largest remainders.
 *
 *     b_i = ⌊s_i·U⌋, the rest one each to the members of the largest s_i·U − b_i
 *
 * Where there are as many blocks as members everybody plays at least one, given by whoever has most. Ties go to the
 * member whose turn it were if all took turns from the run's first block on, in the order of the list: with equal shares
 * nobody is ahead of another by more than a block, however few blocks a round has, as long as the list keeps its order.
 * Turns belong to places in it, not to names: where it is sorted anew, as by rank after a comparison of a population,
 * they go on from the place that was next, and the promise holds from one sorting to the next.
 *
 * @param members shape [M]; shares sum to 1
 * @param updateCount U
 * @param updatesBefore update blocks of the run before this round
 * @returns shape [M]; they sum to U
 */
export function blocksOfRound(members: readonly Sharing[], updateCount: number, updatesBefore: number): number[] {
  const quotas = members.map(({ share }) => share * updateCount);
  const blocks = quotas.map(Math.floor);
  const order = members.map((_, index) => (updatesBefore + index) % members.length);
  const byRemainder = [...order].sort((a, b) => quotas[b]! - blocks[b]! - (quotas[a]! - blocks[a]!));
  const rest = updateCount - sum(blocks);
  for (const member of byRemainder.slice(0, rest)) blocks[member]! += 1;
  if (updateCount < members.length) return blocks;
  for (const member of order.filter((index) => blocks[index] === 0)) {
    const giver = order.reduce((most, index) => (blocks[index]! > blocks[most]! ? index : most));
    blocks[giver]! -= 1;
    blocks[member] = 1;
  }
  return blocks;
}

/** Update blocks of the whole run that each member plays if it keeps its share. @returns shape [M] */
export function blocksOfRun(members: readonly Sharing[], updatesOfRound: readonly number[]): number[] {
  const totals = members.map(() => 0);
  let updatesBefore = 0;
  for (const updateCount of updatesOfRound) {
    blocksOfRound(members, updateCount, updatesBefore).forEach((blocks, index) => (totals[index]! += blocks));
    updatesBefore += updateCount;
  }
  return totals;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
