import { describe, expect, it } from 'vitest';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import type { Evidence } from './contract.ts';
import {
  admitToPool,
  checkFifo,
  enteredIn,
  type FifoOptions,
  fifoPlayedMax,
  freshDraws,
  pooledSimulators,
  proposeDraws,
} from './fifo-pool.ts';
import { randomGenerator } from './random-generator.ts';

const { train } = SITUATIONS.spread;
const OPTIONS = { size: 4, added: 2, fresh_share: 0.4 };
const evidenceWith = (changes: Partial<typeof OPTIONS> = {}) =>
  evidenceAtStart(randomGenerator, SITUATIONS.spread, { ...OPTIONS, ...changes }) as Evidence<FifoOptions>;
const evidence = evidenceWith();
const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
const propose = (state: Parameters<typeof proposeDraws>[0], drawCount: number, seed = 1) =>
  proposeDraws(state, evidence, { drawCount, random: new RandomStream(keyFrom(seed)) });

const start = propose(null, 99);
const filled = admitToPool(start, evidence, start.candidates);

describe('the draws that are proposed', () => {
  it('fill up the pool at the start, however many are wanted later', () => {
    expect(start.candidates).toHaveLength(OPTIONS.size - train.length);
    expect(pooledSimulators(filled.state)).toEqual([...train, ...start.candidates].map(({ simulator }) => simulator));
  });

  it('are as many as are wanted later, new to the pool, and numbered on from those before, chosen or not', () => {
    const second = propose(filled.state, 10);
    expect(second.candidates).toHaveLength(10);
    const known = [...pooledSimulators(filled.state), ...train.map(({ simulator }) => simulator)];
    for (const { simulator } of second.candidates) expect(known).not.toContainEqual(simulator);
    const third = propose(admitToPool(second, evidence, second.candidates.slice(7, 8)).state, 3);
    const numbers = [start, second, third].flatMap(({ candidates }) =>
      namesOf(candidates).map((name) => name.split('~')[1]),
    );
    expect(numbers).toEqual(numbers.map((_, index) => String(index + 1)));
  });
});

describe('the pool', () => {
  const second = propose({ ...filled.state, remembered: 7 }, 6);
  const chosen = second.candidates.slice(3, 5);
  const decision = admitToPool(second, { ...evidence, roundIndex: 5 }, chosen);

  it('keeps the newest, in the order in which they entered, and names the oldest as those that leave', () => {
    expect(namesOf(decision.pool).slice(0, OPTIONS.size)).toEqual([...namesOf(start.candidates), ...namesOf(chosen)]);
    expect(decision.evictions).toEqual(train.map(({ name }) => ({ name, reason: 'the oldest of the pool' })));
  });

  it('evicts nobody who was never too much', () => {
    expect(filled.evictions).toEqual([]);
  });

  it('leaves what else the strategy remembers in the state', () => {
    expect(decision.state['remembered']).toBe(7);
  });

  it('without a fresh share is all there is, in equal shares', () => {
    const alone = admitToPool(second, evidenceWith({ fresh_share: 0 }), chosen);
    expect(alone.pool.map(({ weight }) => weight)).toEqual(Array(OPTIONS.size).fill(1 / OPTIONS.size));
    expect(freshDraws(evidenceWith({ fresh_share: 0 }))).toEqual([]);
  });

  it('is known beforehand to hold its size, and the train panel once more where there are fresh draws', () => {
    expect(decision.pool).toHaveLength(fifoPlayedMax(evidence));
    expect(fifoPlayedMax(evidenceWith({ fresh_share: 0 }))).toBe(OPTIONS.size);
  });
});

describe('what enters', () => {
  it('says why and when, and goes on naming the failure it was made from', () => {
    const [plain, made] = [start.candidates[0]!, { ...start.candidates[1]!, failure: '3.1' }];
    expect(enteredIn(7, [plain, made])).toEqual(
      [plain, made].map(({ origin, ...entry }) => ({ ...entry, reason: `${origin} in round 7` })),
    );
  });

  it('cannot be more than the pool holds', () => {
    expect(checkFifo(evidenceWith({ added: 4 }))).toEqual([]);
    expect(checkFifo(evidenceWith({ added: 5 })).map(({ key }) => key)).toEqual(['added']);
  });
});
