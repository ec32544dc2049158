import { describe, expect, it } from 'vitest';
import { stepsFrom } from './round-schedule.ts';

const SCHEDULE = { roundCount: 5, evaluateEveryRounds: 2, adaptRounds: [0, 3] };
const written = (roundsCompleted: number): string[] =>
  stepsFrom(SCHEDULE, roundsCompleted).map(({ kind, round }) => `${kind} ${round}`);

describe('the schedule of a run', () => {
  it('evaluates at the start, every so many completed rounds and at the end, and adapts when due', () => {
    expect(written(0)).toEqual([
      'adapt_pool 0',
      'evaluate_panels 0',
      'train_round 0',
      'train_round 1',
      'evaluate_panels 2',
      'train_round 2',
      'adapt_pool 3',
      'train_round 3',
      'evaluate_panels 4',
      'train_round 4',
      'evaluate_panels 5',
      'finish_run 5',
    ]);
  });

  it('from any completed round on is the end of the whole, the border of that round included', () => {
    const whole = written(0);
    for (let completed = 1; completed <= SCHEDULE.roundCount; completed += 1) {
      const rest = written(completed);
      expect(whole.slice(-rest.length)).toEqual(rest);
      expect(rest.filter((step) => step.startsWith('train_round'))).toHaveLength(SCHEDULE.roundCount - completed);
    }
  });
});
