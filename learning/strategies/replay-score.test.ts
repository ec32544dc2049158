import { describe, expect, it } from 'vitest';
import type { TrainingEvidence } from './contract.ts';
import { needsCritic, type Outcome, outcomeFrom, REPLAY_SCORES, replayScores } from './replay-score.ts';

const evidence: TrainingEvidence = {
  name: 'a',
  episodes: 8,
  returnMean: -4,
  returnStd: 3,
  lengthMean: 25,
  successRate: 0.25,
  scores: { positiveValueLoss: 0.7, valueMean: -2, discountedReturnMax: 1.5, shortfall: 0 },
};

const outcomeOf = (changes: Partial<TrainingEvidence> = {}, before: Outcome | null = null): Outcome =>
  outcomeFrom({ ...evidence, ...changes }, before)!;

describe('what episodes tell', () => {
  it('is nothing where there were fewer than two, or where a number is not finite', () => {
    expect(outcomeFrom(undefined, null)).toBeNull();
    expect(outcomeFrom({ ...evidence, episodes: 0, returnMean: NaN, returnStd: NaN }, null)).toBeNull();
    expect(outcomeFrom({ ...evidence, episodes: 1, returnStd: NaN }, null)).toBeNull();
    expect(outcomeFrom({ ...evidence, returnMean: Infinity }, null)).toBeNull();
    expect(outcomeFrom({ ...evidence, scores: { ...evidence.scores!, valueMean: NaN } }, null)).toBeNull();
  });

  it('survives being stored as JSON', () => {
    const outcome = outcomeOf();
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
  });

  it('keeps the largest discounted return of all episodes that there ever were', () => {
    const lower = { scores: { ...evidence.scores!, discountedReturnMax: -6 } };
    expect(outcomeOf(lower, outcomeOf()).critic!.discountedReturnMax).toBe(evidence.scores!.discountedReturnMax);
    expect(outcomeOf({}, outcomeOf(lower)).critic!.discountedReturnMax).toBe(evidence.scores!.discountedReturnMax);
  });
});

describe('the score', () => {
  it.each([
    ['positive_value_loss', 0.7],
    ['max_mc', 1.5 - -2],
    ['learnability', 0.25 * 0.75],
    ['return_variance', 9],
    ['relative_return_variance', 9 / 16],
  ] as const)('%s is the one computed by hand', (score, expected) => {
    expect(replayScores(score, [outcomeOf()])[0]).toBeCloseTo(expected, 7);
  });

  it('of each kind is told apart in the order of the simulators', () => {
    const other = outcomeOf({
      successRate: 0.5,
      returnStd: 1,
      scores: { ...evidence.scores!, positiveValueLoss: 0.1 },
    });
    for (const score of REPLAY_SCORES) {
      const [first] = replayScores(score, [outcomeOf()]);
      const [second] = replayScores(score, [other]);
      expect(replayScores(score, [outcomeOf(), other])).toEqual([first, second]);
    }
  });

  it('learnability is the variance of the normalised return where success tells nothing apart', () => {
    const outcomes = [outcomeOf({ successRate: 0, returnMean: -10, returnStd: 2 }), outcomeOf({ successRate: 1 })];
    const [first, second] = replayScores('learnability', outcomes);
    expect(first).toBeCloseTo(4 / 100, 7);
    expect(second).toBeCloseTo(9 / 100, 7);
  });

  it('learnability never mixes the two: one simulator with some success is enough', () => {
    const outcomes = [outcomeOf({ successRate: 0 }), outcomeOf({ successRate: 0.5 })];
    expect(replayScores('learnability', outcomes)).toEqual([0, 0.25]);
  });

  it('asks for what the critic says exactly where it is made of that', () => {
    const without = outcomeOf({ scores: null });
    for (const score of REPLAY_SCORES) {
      const compute = () => replayScores(score, [without]);
      if (needsCritic(score)) expect(compute).toThrow(/needs scores/);
      else expect(compute()).toEqual(replayScores(score, [outcomeOf()]));
    }
  });
});
