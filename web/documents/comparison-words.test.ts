import { describe, expect, it } from 'vitest';
import { compareVariants } from '../../learning/results/comparison.ts';
import { METRIC_DIRECTIONS } from '../../learning/results/metric-directions.ts';
import { METRICS } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { comparisonWords } from './comparison-words.ts';

type Values = readonly (number | null)[];

function sentence(first: Values, second: Values, { metric = 'heldout_return', firstSeed = 0 } = {}): string {
  const rowsOf = (variant: string, values: Values, start: number): ResultRow[] =>
    values.map((value, index) => {
      const measured =
        value === null ? null : scores({ heldoutReturn: value, collapseGap: value, policyEntropy: value });
      const testReturns = value === null ? [] : [{ own: 0, specialist: value }];
      return resultRow({ variant, seed: start + index, last: measured, testReturns });
    });
  const rows = [...rowsOf('frozen', second, 0), ...rowsOf('pool', first, firstSeed)];
  const words = comparisonWords(compareVariants(rows, metric, { resamples: 2_000 }));
  expect(words).toHaveLength(1);
  return words[0]!;
}

const low = [1, 1.5, 2, 1.25, 1.75];
const high = [5, 5.25, 6, 5.5, 5.75];

describe('a comparison in words', () => {
  it('says which of two is better, by how much, how sure that is and over how many runs', () => {
    expect(sentence(high, low)).toMatch(
      /^pool is better than frozen: heldout_return higher by 4\.00 \[3\.\d\d, 4\.\d\d\] over 5 common seeds; a run of pool has the higher one with probability 1\.00 \[1\.00, 1\.00\]; p \S+ \(Welch's test\); n 5 runs each\.$/,
    );
    expect(sentence(low, high)).toMatch(
      /^pool is worse than frozen: heldout_return lower by 4\.00 \[3\.\d\d, 4\.\d\d\]/,
    );
  });

  it('knows of which metrics less is better, and of which neither is', () => {
    expect(sentence(high, low, { metric: 'specialist_regret' })).toMatch(/^pool is worse than frozen: /);
    // Who learns nothing has no gap.
    expect(sentence(low, high, { metric: 'collapse_gap' })).toMatch(/^pool has less than frozen: collapse_gap lower/);
    expect(sentence(low, high, { metric: 'policy_entropy' })).toMatch(
      /^pool has less than frozen: policy_entropy lower/,
    );
    expect(Object.keys(METRIC_DIRECTIONS).filter((metric) => !METRICS.includes(metric))).toEqual([]);
  });

  it('claims no difference that may be chance, and none of too few runs', () => {
    expect(sentence([1, 2, 3, 4, 5], [2, 1, 4, 3, 5.5])).toMatch(
      /^Nothing shows that pool differs from frozen: .* p 0\.\d+ /,
    );
    expect(sentence([1, 2, 3, 4], low)).toMatch(
      /^Too few runs to tell pool and frozen apart, which takes 5 of each: .*; n 4 and 5 runs\.$/,
    );
    expect(sentence([3, 3, 3, 3, 3], [2, 2, 2, 2, 2])).toMatch(/^pool and frozen do not scatter/);
    expect(sentence([2, 2, 2, 2, 2], [2, 2, 2, 2, 2])).toContain(
      'heldout_return is equal on the mean over 5 common seeds',
    );
  });

  it('says who is better by the means of all runs, also where the common seeds say the opposite', () => {
    expect(sentence([0, ...high], [...low, 3], { firstSeed: 5 })).toMatch(
      /^pool is better than frozen: mean heldout_return 4\.58 against 1\.75; heldout_return lower by 3\.00 over 1 common seed; .*; p 0\.0/,
    );
    expect(sentence([Infinity, 1, 2, 3, 4], [Infinity, 1, 2, 3, 5])).toContain(
      'the difference of heldout_return over 5',
    );
  });

  it('says what is missing, what is NaN, and where no seed is shared', () => {
    expect(sentence([null, null], low)).toBe('pool and frozen cannot be compared: pool has no heldout_return.');
    expect(sentence([...high, NaN], low)).toBe(
      'pool and frozen cannot be compared: some heldout_return is NaN; n 6 and 5 runs.',
    );
    expect(sentence(high, low, { firstSeed: 50 })).toMatch(
      /^pool is better than frozen: mean heldout_return 5\.50 against 1\.50, without a seed in common; a run of pool/,
    );
  });
});
