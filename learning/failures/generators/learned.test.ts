import { describe, expect, it } from 'vitest';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../../../test/support/made-up-mined.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { failureName } from '../contract.ts';
import { learned } from './learned.ts';

// What every generator promises is tested in test/contract/failure-generators.test.ts.

const ROUND = 3;
const situation = FAILING_SITUATIONS.spread;
const context = contextOf(situation);
const mined = madeUpMined(situation);
const kept = learned.keep(mined, ROUND, context, new RandomStream(keyFrom(1)));
const dreams = kept['dreams'] as readonly { readonly failure: string; readonly predictedReturn: number }[];

describe('learned', () => {
  it('keeps the best dream of every failure before the second of any, each time by predicted return', () => {
    const count = mined.failures.length;
    const names = mined.failures.map((_, index) => failureName(ROUND, index));
    for (const first of [0, count]) {
      const turn = dreams.slice(first, first + count);
      expect(turn.map(({ failure }) => failure).toSorted()).toEqual(names.toSorted());
      const returns = turn.map(({ predictedReturn }) => predictedReturn);
      expect(returns).toEqual(returns.toSorted((one, other) => one - other));
    }
    expect(dreams).toHaveLength(2 * count);
  });

  it('learns from at most twenty failures, medoids among them wherever they stand', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      ...mined.failures[index % mined.failures.length]!,
      isMedoid: index >= 27,
    }));
    const { dreams: all } = learned.keep({ ...mined, failures: many }, ROUND, context, new RandomStream(keyFrom(1)));
    const names = new Set((all as typeof dreams).map(({ failure }) => failure));
    expect(names.size).toBe(20);
    for (const index of [27, 28, 29]) expect(names).toContain(failureName(ROUND, index));
  });

  it('dreams nothing of a family that has no starts', () => {
    const failures = mined.failures.map((failure) => ({ ...failure, states: failure.states.map(() => []) }));
    const nothing = learned.keep({ ...mined, failures, statePaths: [] }, ROUND, context, new RandomStream(keyFrom(1)));
    expect(learned.propose(nothing, 4, context, new RandomStream(keyFrom(1)))).toEqual([]);
  });

  it('proposes neighbouring dreams, from a place that chance draws', () => {
    const firsts = Array.from({ length: 40 }, (_, seed) => {
      const proposed = learned.propose(kept, 2, context, new RandomStream(keyFrom(seed)));
      const origins = proposed.map(({ failure, origin }) => `${failure} ${origin.split('predicted return ')[1]}`);
      const order = dreams.map(({ failure, predictedReturn }) => `${failure} ${Number(predictedReturn.toFixed(2))}`);
      expect(origins[1]).toBe(order[(order.indexOf(origins[0]!) + 1) % order.length]);
      return origins[0];
    });
    expect(new Set(firsts).size).toBeGreaterThan(1);
  });
});
