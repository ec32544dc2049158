import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparisonGolden as golden,
  intervalDistance,
  RESAMPLING_ERROR,
} from '../../test/support/comparison-golden.ts';
import { bootstrapInterval, INTERVAL_VALUES_MIN } from './bootstrap.ts';
import { interquartileMean } from './interquartile-mean.ts';
import { median } from './median.ts';
import { mean } from './moments.ts';
import { score, scoreInterval, type ScoreKind } from './score-interval.ts';

const KINDS = ['mean', 'median', 'iqm'] as const;
const STATISTICS = { mean, median, iqm: interquartileMean };
const FEW = { resamples: 400 };

// Few different values, so that many are tied.
const stratum = fc.array(fc.integer({ min: -8, max: 8 }), { minLength: INTERVAL_VALUES_MIN, maxLength: 14 });
const strata = fc.array(stratum, { minLength: 1, maxLength: 3 });
const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);

describe('mean, median and interquartile mean over runs × tasks', () => {
  it('are those of rliable; of one task the median is that of its runs, and of several rliable has that of their means', () => {
    const sets = [
      [golden.first, golden.first_aggregates],
      [golden.second, golden.second_aggregates],
    ] as const;
    for (const [tasks, aggregates] of sets) {
      expect(score('mean', tasks)).toBeCloseTo(aggregates.mean, 9);
      expect(score('iqm', tasks)).toBeCloseTo(aggregates.iqm, 9);
      expect(median(tasks.map(mean))).toBeCloseTo(aggregates.median_of_task_means, 9);
      expect(score('iqm', [tasks[0]!])).toBeCloseTo(aggregates.first_task_iqm, 9);
      expect(score('median', [tasks[0]!])).toBeCloseTo(aggregates.first_task_median, 9);
    }
  });

  it('have the intervals of rliable, up to the noise of the resamples', () => {
    const { first, first_aggregates: aggregates } = golden;
    const pairs: [ScoreKind, readonly (readonly number[])[], readonly [number, number]][] = [
      ['mean', first, aggregates.mean_interval],
      ['iqm', first, aggregates.iqm_interval],
      ['iqm', [first[0]!], aggregates.first_task_iqm_interval],
      ['median', [first[0]!], aggregates.first_task_median_interval],
    ];
    for (const [kind, tasks, theirs] of pairs) {
      expect(intervalDistance(scoreInterval(kind, tasks)!, theirs)).toBeLessThan(RESAMPLING_ERROR);
    }
  });

  it('have the interval of the slow way, which sorts every resample', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), strata, (kind, tasks) => {
        const slow = bootstrapInterval({ strata: tasks.map(ascending), statistic: STATISTICS[kind], ...FEW })!;
        scoreInterval(kind, tasks, FEW)!.forEach((end, side) => expect(end).toBeCloseTo(slow[side]!, 9));
      }),
      { numRuns: 30 },
    );
  });

  it('have an interval that holds the estimate, widens with confidence, and does not see the order of the runs', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), strata, (kind, tasks) => {
        const estimate = score(kind, tasks);
        const [low, high] = scoreInterval(kind, tasks, FEW)!;
        expect(low).toBeLessThanOrEqual(estimate + 1e-9);
        expect(high).toBeGreaterThanOrEqual(estimate - 1e-9);
        const wider = scoreInterval(kind, tasks, { ...FEW, confidence: 0.99 })!;
        expect(wider[0]).toBeLessThanOrEqual(low);
        expect(wider[1]).toBeGreaterThanOrEqual(high);
        const turned = tasks.map((values) => values.toReversed());
        expect(scoreInterval(kind, turned, FEW)).toEqual([low, high]);
      }),
      { numRuns: 50 },
    );
  });

  it('are NaN with a NaN, and let infinite values be the lowest or the highest', () => {
    const finite = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const kind of KINDS) {
      expect(score(kind, [[...finite, NaN]])).toBeNaN();
      expect(scoreInterval(kind, [[...finite, NaN]], FEW)).toEqual([NaN, NaN]);
      expect(score(kind, [[]])).toBeNaN();
    }
    const withInfinity = [...finite, Infinity];
    // Dropped are 1, 2, 8 and the infinite one.
    expect(score('iqm', [withInfinity])).toBe(mean([3, 4, 5, 6, 7]));
    expect(score('median', [withInfinity])).toBe(5);
    expect(score('mean', [withInfinity])).toBe(Infinity);
    expect(scoreInterval('mean', [withInfinity], FEW)![1]).toBe(Infinity);
    expect(scoreInterval('median', [withInfinity], FEW)!.every(Number.isFinite)).toBe(true);
  });

  it('have no interval where some task has fewer than five runs', () => {
    expect(scoreInterval('iqm', [golden.first[0]!, [1, 2, 3, 4]])).toBeNull();
    expect(scoreInterval('iqm', [])).toBeNull();
  });
});
