import { beforeAll, describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { actionCountOf, type Dream, dreamOf, startRanges } from './dream.ts';
import { predictReturn } from './roll-out.ts';
import { transitionsOf } from './transitions.ts';
import { fitWorldModel, type WorldModel } from './world-model.ts';

const SCALE = 0.1;
const COUNT = 60;

describe.each(Object.entries(FAILING_SITUATIONS))('dreams of a failure in %s', (_, situation) => {
  const { world } = situation;
  const { failures, statePaths } = madeUpMined(situation);
  const starts = failures.map(({ states }) => states[0]!);
  const ranges = startRanges(starts, statePaths, world.parameters);
  const failure = failures.find(({ simulator }) => Object.values(simulator.partners)[0]!.name !== 'random')!;
  let model: WorldModel;
  let dreams: Dream[];

  beforeAll(() => {
    model = fitWorldModel(transitionsOf(failures), actionCountOf(failures), new RandomStream(keyFrom(1)));
    const options = { count: COUNT, rollouts: 2, ranges, scale: SCALE };
    dreams = dreamOf(model, failure, options, new RandomStream(keyFrom(2)));
  });

  it('come the lowest predicted return first', () => {
    const returns = dreams.map(({ predictedReturn }) => predictedReturn);
    expect(returns).toHaveLength(COUNT);
    expect(returns.every(Number.isFinite)).toBe(true);
    expect(returns).toEqual(returns.toSorted((one, other) => one - other));
  });

  it('are left out where what is foretold is no finite number', () => {
    const weights = model.weights.map(() => NaN);
    const options = { count: COUNT, rollouts: 2, ranges, scale: SCALE };
    expect(dreamOf({ ...model, weights }, failure, options, new RandomStream(keyFrom(2)))).toEqual([]);
  });

  it('move real numbers by a share of their range among the failures, within it, and nothing else', () => {
    for (const { start } of dreams) {
      for (const [at, value] of start.entries()) {
        const reach = SCALE * (ranges.high[at]! - ranges.low[at]!);
        const before = failure.states[0]![at]!;
        if (Number.isNaN(reach)) expect(value).toBe(before);
        else {
          expect(Math.abs(value - before)).toBeLessThanOrEqual(reach + 1e-12);
          expect(value).toBeGreaterThanOrEqual(ranges.low[at]!);
          expect(value).toBeLessThanOrEqual(ranges.high[at]!);
        }
      }
    }
  });

  it('hold starts that stay, partners that stay, and both changed where there are real numbers to move', () => {
    const isMoved = ({ start }: Dream) => start.some((value, at) => value !== failure.states[0]![at]);
    const isReal = ranges.low.some((low) => !Number.isNaN(low));
    const kinds = new Set(dreams.map((dream) => `${isMoved(dream)} ${dream.habit !== null}`));
    expect(kinds).toEqual(new Set(isReal ? ['false true', 'true false', 'true true'] : ['false true', 'false false']));
  });

  it('raise ε by at most half of what is left, and weigh actions by shares', () => {
    for (const { habit } of dreams.filter((each) => each.habit !== null)) {
      const before = (failure.simulator.partners[habit!.seat] as { epsilon?: number }).epsilon!;
      expect(habit!.epsilon).toBeGreaterThanOrEqual(before);
      expect(habit!.epsilon).toBeLessThanOrEqual(before + (1 - before) / 2);
      expect(habit!.bias.every((share) => share >= 0)).toBe(true);
      expect(habit!.bias.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  it('without a habit foretell what the model says of the actions that were done', () => {
    const plain = dreams.filter(({ habit }) => habit === null);
    expect(plain.length).toBeGreaterThan(0);
    for (const { start, predictedReturn } of plain) {
      expect(predictedReturn).toBe(predictReturn(model, start, failure.actions));
    }
  });
});

it('actions are counted by what was done and by what partners can do', () => {
  const { failures } = madeUpMined(FAILING_SITUATIONS.spread);
  const idle = failures.map((failure) => ({ ...failure, actions: [[0, 0]] }));
  expect(actionCountOf(idle)).toBe(5);
  const alone = idle.map((failure) => ({ actions: [[0, 2]], simulator: { ...failure.simulator, partners: {} } }));
  expect(actionCountOf(alone)).toBe(3);
});
