import { describe, expect, it } from 'vitest';
import { openSpread, scripted, simulatorOf } from '../../../test/support/small-learning.ts';
import { habitSeats, writeHabit } from './partner-habit.ts';

const world = openSpread({ agents: 2 });
const bias = [0.5, 0.5, 0, 0, 0];

describe('habits of partners', () => {
  it('are those of scripted partners only', () => {
    const policy = { partners: { 1: { kind: 'self' } } };
    expect(habitSeats(simulatorOf(world))).toEqual([]);
    expect(habitSeats(simulatorOf(world, policy))).toEqual([]);
    const erratic = simulatorOf(world, scripted(1, 'nearest_landmark', { epsilon: 0.3 }));
    expect(habitSeats(erratic)).toEqual([{ seat: 1, actionCount: 5, epsilon: 0.3 }]);
    expect(habitSeats(simulatorOf(world, scripted(1, 'random')))[0]?.epsilon).toBeNull();
  });

  it('are written as a spec would write them, into a copy', () => {
    const nearest = simulatorOf(world, scripted(1, 'nearest_landmark'));
    const before = structuredClone(nearest);
    const expected = simulatorOf(world, scripted(1, 'nearest_landmark', { epsilon: 0.2, action_bias: bias }));
    expect(writeHabit(nearest, { seat: 1, epsilon: 0.2, bias })).toEqual(expected);
    expect(nearest).toEqual(before);
  });

  it('of a partner that is random throughout are its bias alone', () => {
    const random = simulatorOf(world, scripted(1, 'random'));
    const expected = simulatorOf(world, scripted(1, 'random', { action_bias: bias }));
    expect(writeHabit(random, { seat: 1, epsilon: 1, bias })).toEqual(expected);
  });
});
