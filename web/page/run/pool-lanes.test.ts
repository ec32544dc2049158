import { describe, expect, it } from 'vitest';
import { lanePath, poolLanes, staysText } from './pool-lanes.ts';

const member = (name: string, weight: number, change: object = {}) => ({
  ...{ name, hash: `hash of ${name}`, weight, parents: [], reason: `chose ${name}`, failure: null, contribution: null },
  ...change,
});
const POOLS = [
  { round: 0, members: [member('zero', 0.5), member('left', 0.5)] },
  { round: 2, members: [member('zero', 0.5), member('made', 0.5, { reason: 'most to learn', failure: '2.1' })] },
  { round: 4, members: [member('left', 1), member('made', 0.25, { reason: 'kept', contribution: 0.375 })] },
];
const laneOf = (name: string, completed = 5) => poolLanes(POOLS, completed).find((lane) => lane.name === name)!;

describe('the lanes of a pool', () => {
  it('come in the order in which simulators entered, each with the rounds that trained on it', () => {
    const lanes = poolLanes(POOLS, 5);
    expect(lanes.map(({ name }) => name)).toEqual(['zero', 'left', 'made']);
    expect(lanes.map(staysText)).toEqual(['1–4', '1–2, 5–', '3–']);
    expect(lanes.map(({ isIn }) => isIn)).toEqual([false, true, true]);
  });

  it('are one stretch where the weight stays, another where it changes', () => {
    expect(laneOf('zero').stretches).toEqual([{ from: 0, to: 4, weight: 0.5 }]);
    expect(laneOf('made').stretches).toEqual([
      { from: 2, to: 4, weight: 0.5 },
      { from: 4, to: 5, weight: 0.25 },
    ]);
  });

  it('tell why it entered, and the last that was measured', () => {
    expect(laneOf('made')).toMatchObject({ first: { reason: 'most to learn', failure: '2.1' }, contribution: 0.375 });
    expect(laneOf('zero').contribution).toBeNull();
  });

  it('are two simulators where a name comes again with other content', () => {
    const again = [...POOLS, { round: 6, members: [member('made', 1, { hash: 'another' })] }];
    expect(poolLanes(again, 8).filter(({ name }) => name === 'made')).toHaveLength(2);
  });

  it('are drawn as long as their rounds and as high as their weight', () => {
    const box = { rounds: 10, weightMax: 0.5, width: 100, height: 20 };
    expect(lanePath(laneOf('made'), box)).toBe('M20 20V0H40V20ZM40 20V10H50V20Z');
    // Whatever weighs nothing, or has not been trained on yet, is seen all the same.
    const light = { stretches: [{ from: 0, to: 0, weight: 0 }] };
    expect(lanePath(light, { ...box, weightMax: 0 })).toBe('M0 20V18H2.5V20Z');
  });
});
