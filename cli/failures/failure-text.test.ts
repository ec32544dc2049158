import { describe, expect, it } from 'vitest';
import { madeUpChild, madeUpFailure } from '../../test/support/made-up-failure.ts';
import { failureText, fateText, type ShownFailure } from './failure-text.ts';

const told = (change: Partial<ShownFailure> = {}): string => {
  const failure = change.failure ?? madeUpFailure();
  return failureText({ failure, mining: [failure], made: [], features: [{ name: 'x' }], ...change });
};

describe('a failure in words', () => {
  it('says where it happened and what others get there', () => {
    const text = told();
    for (const words of ['After 10 rounds, episode 5 of 20', 'top (abcdef01)', '-12.00', '-14.00', '(earlier) -6.00']) {
      expect(text).toContain(words);
    }
  });

  it('says from where to where the value went after the key moment', () => {
    const failure = madeUpFailure();
    const [before, after] = [failure.values[failure.keyMoment]!, failure.values[failure.keyMoment + 1]!];
    expect(told()).toContain(`step 1 of 3: the value that the critic expects went from ${before}.00 to ${after}.00`);
  });

  it('says that without a critic nobody knows the moment', () => {
    const text = told({ failure: madeUpFailure({ hasCritic: false, keyMoment: 0, values: [NaN, NaN, NaN, 0] }) });
    expect(text).toMatch(/^key moment {2}not known: no critic/m);
    expect(text).not.toContain('NaN');
  });

  it('has a line of features for each seat, and lists them where their meaning is not known', () => {
    expect(told()).toMatch(/seat 0: x 0\.50\n +seat 1: x -0\.50\n/);
    expect(told({ features: [] })).toContain('0.50, -0.50');
    expect(told({ features: ['x', 'y', 'z'].map((name) => ({ name })) })).toContain('0.50, -0.50');
  });

  it('names those that look alike, and the one that stands for them', () => {
    const failure = madeUpFailure({ index: 1, isMedoid: false });
    const mining = [madeUpFailure(), failure, madeUpFailure({ index: 2, group: 1 })];
    expect(told({ failure, mining })).toContain('0, with 10.1; 10.1 stands for the group');
    expect(told()).toContain('0, alone in it; it stands for the group');
  });

  it('tells what was made of it, a score only where there is one', () => {
    expect(told()).toContain('made of it  nothing');
    const failure = madeUpFailure({ candidateCount: 2, admittedCount: 1 });
    const made = [madeUpChild(), madeUpChild({ name: 'top~2', score: NaN, refusal: 'too near top~1' })];
    const text = told({ failure, made });
    expect(text).toContain('2 simulators, of which 1 entered a pool');
    expect(text).toMatch(/top~1 .* 0\.50 {2}entered after round 10\n/);
    expect(text).toMatch(/top~2 .* – {2}refused: too near top~1\n/);
  });

  it('ends with the command that plays it again', () => {
    expect(told()).toMatch(/thaw rollout --failure example-1\/pool\/0:10\.1 --render failure\.svg$/);
  });
});

it('the fate of a simulator is one of three: refused, entered, or gone for a reason', () => {
  const left = { round: 30, reason: 'taught the least', contribution: 0 };
  expect([{ refusal: 'trivial' }, {}, { left }].map((change) => fateText(madeUpChild(change)))).toEqual([
    'refused: trivial',
    'entered after round 10',
    'entered after round 10, left after round 30: taught the least',
  ]);
});
