import { expect, test } from 'vitest';
import { decideThroughRun } from '../../test/support/strategy-history.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { randomGenerator } from './random-generator.ts';

const { train, ranges } = SITUATIONS.spread;
const EVERY_ROUNDS = 2;
const OPTIONS = { size: 5, added: 2, every_rounds: EVERY_ROUNDS, fresh_share: 0.25 };
const evidence = evidenceAtStart(randomGenerator, SITUATIONS.spread, OPTIONS);
const steps = decideThroughRun(randomGenerator, { start: evidence, situation: SITUATIONS.spread, seed: 1 });
const isFresh = ({ randomization }: { randomization: object }) => Object.keys(randomization).length > 0;
const keptNames = steps.map(({ decision }) => decision.pool.filter((entry) => !isFresh(entry)).map(({ name }) => name));

test('the pool starts as the train panel, filled up with draws', () => {
  expect(keptNames[0]).toEqual([
    ...train.map(({ name }) => name),
    ...steps[0]!.proposal.candidates.map(({ name }) => name),
  ]);
  expect(keptNames[0]!.length).toBe(OPTIONS.size);
});

test('a train panel longer than the pool gives its first members', () => {
  const short = evidenceAtStart(randomGenerator, SITUATIONS.spread, { ...OPTIONS, size: 1, added: 1, fresh_share: 0 });
  const [first] = decideThroughRun(randomGenerator, { start: short, situation: SITUATIONS.spread, seed: 1 });
  expect(first!.decision.pool.map(({ name }) => name)).toEqual([train[0]!.name]);
});

test('first in, first out: the draws of a decision enter, and as many leave, the oldest', () => {
  expect(steps.length).toBeGreaterThan(OPTIONS.size / OPTIONS.added + 1);
  for (const [index, { proposal }] of steps.entries()) {
    if (index === 0) continue;
    const entered = proposal.candidates.map(({ name }) => name);
    expect(entered.length).toBe(OPTIONS.added);
    expect(keptNames[index]).toEqual([...keptNames[index - 1]!.slice(OPTIONS.added), ...entered]);
  }
});

test('members of the train panel are drawn on in turn, over the decisions', () => {
  const parents = steps.flatMap(({ proposal }) => proposal.candidates.map((candidate) => candidate.parents[0]));
  expect(parents).toEqual(parents.map((_, index) => train[index % train.length]!.name));
});

test('what entered says in which round it was drawn', () => {
  const last = steps.at(-1)!;
  const [newest] = last.decision.pool.filter(({ name }) => name === last.proposal.candidates[0]!.name);
  expect(newest!.reason).toContain(`in round ${last.evidence.roundIndex}`);
});

test('the fresh share is drawn anew for every episode on every member of the train panel, the pool has the rest', () => {
  for (const { decision } of steps) {
    const fresh = decision.pool.filter(isFresh);
    expect(fresh.map(({ parents, randomization, weight }) => ({ parents, randomization, weight }))).toEqual(
      train.map(({ name }) => ({
        parents: [name],
        randomization: ranges,
        weight: OPTIONS.fresh_share / train.length,
      })),
    );
    for (const { weight } of decision.pool.filter((entry) => !isFresh(entry))) {
      expect(weight).toBeCloseTo((1 - OPTIONS.fresh_share) / OPTIONS.size, 15);
    }
  }
});
