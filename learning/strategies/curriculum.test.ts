import { expect, test } from 'vitest';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import type { Strategy, StrategyState, TrainingEvidence } from './contract.ts';
import { curriculum } from './curriculum.ts';

/** Without the type of its options, as the registry has it. */
const strategy: Strategy = curriculum;
const [first, second] = SITUATIONS.spread.train.map(({ name }) => name);
const THRESHOLD = -9;
const start = evidenceAtStart(strategy, SITUATIONS.spread, {
  stages: [
    { simulator: first, threshold: THRESHOLD },
    { simulator: second, threshold: THRESHOLD },
    { simulator: first },
  ],
});

/** The simulators that are trained on while the mean returns are these. */
function stagesWhile(returns: readonly number[]): (string | undefined)[] {
  let state: StrategyState | null = null;
  return [null, ...returns].map((returnMean, roundIndex) => {
    const training = returnMean === null ? [] : [{ returnMean } as TrainingEvidence];
    const evidence = { ...start, roundIndex, training };
    const random = new RandomStream(keyFrom(1));
    const decision = strategy.decide(strategy.propose(state, evidence, random), evidence, {}, random);
    state = decision.state;
    return decision.pool.map(({ name }) => name).join();
  });
}

test('a stage lasts until the mean return is above its threshold, and one stage goes by at a time', () => {
  expect(stagesWhile([THRESHOLD - 1, THRESHOLD, THRESHOLD + 1, THRESHOLD - 1])).toEqual([
    first,
    first,
    first,
    second,
    second,
  ]);
});

test('a stage that was not played is not passed', () => {
  expect(stagesWhile([NaN, THRESHOLD + 1, NaN])).toEqual([first, first, second, second]);
});

test('nothing leads back, and the last stage stays', () => {
  const above = THRESHOLD + 100;
  expect(stagesWhile([above, above, -above, above, -above])).toEqual([first, second, first, first, first, first]);
});

test('a number in the last stage has no effect', () => {
  const { stages } = start.options as unknown as { stages: readonly object[] };
  const options = { ...start.options, stages: stages.map((stage) => ({ ...stage, threshold: THRESHOLD })) };
  expect(strategy.check({ ...start, options })).toEqual([]);
});
