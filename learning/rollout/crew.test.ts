import { describe, expect, it } from 'vitest';
import { RecordingLearner } from '../../test/support/recording-learner.ts';
import { openSpread } from '../../test/support/small-learning.ts';
import { crewOf, memberUpdates, seatsOfMember, type TrainedMember } from './crew.ts';

const world = openSpread({ agents: 3 });
const isDefect = expect.objectContaining({ code: 'DEFECT_INVARIANT' });

function member(name: string, changes: Partial<TrainedMember> = {}): TrainedMember {
  return { name, seats: 'learners', share: 0.5, reward: 'own', learner: new RecordingLearner(world), ...changes };
}

describe('the crew of a round', () => {
  const partner = member('partner', { seats: 'partners', share: 1 });

  it('is the learners in their order, with all blocks between them, and the partner', () => {
    const crew = crewOf([member('a'), partner, member('b')], { updateCount: 3, updatesBefore: 0 });
    expect(crew.turns.map(({ member: { name }, updateCount }) => [name, updateCount])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(crew.partner).toBe(partner);
  });

  it('has a learner, and not two partners', () => {
    const blocks = { updateCount: 3, updatesBefore: 0 };
    expect(() => crewOf([partner], blocks)).toThrow(isDefect);
    expect(() => crewOf([member('a', { share: 1 }), partner, partner], blocks)).toThrow(isDefect);
  });

  it('shares the blocks of the run, in all of which the partner takes part', () => {
    expect(memberUpdates([member('a'), partner, member('b')], [3, 3, 3])).toEqual([5, 9, 4]);
    expect(memberUpdates([member('a', { share: 1 })], [3, 4])).toEqual([7]);
  });
});

describe('the seats of a member', () => {
  it('are the learners’, or all others', () => {
    expect(seatsOfMember(member('a'), world, [0, 2])).toEqual([0, 2]);
    expect(seatsOfMember(member('b', { seats: 'partners' }), world, [0, 2])).toEqual([1]);
  });

  it('are never none', () => {
    expect(() => seatsOfMember(member('b', { seats: 'partners' }), world, [0, 1, 2])).toThrow(isDefect);
  });
});
