import { describe, expect, it } from 'vitest';
import { tableFrom } from '../../learning/results/table.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { comparisonDocument } from '../../web/documents/comparison-document.ts';
import { compareColumns, comparedLines, profileColumns, profileLines } from './compare-columns.ts';
import { csvFormat } from '../table-formats/csv.ts';
import { markdownFormat } from '../table-formats/markdown.ts';

const { variants: settings } = resolved(specDocument());
const run = (variant: string, seed: number, heldoutReturn: number | null) =>
  resultRow({ variant, seed, last: heldoutReturn === null ? null : scores({ heldoutReturn }) });
const rows = [
  ...[1, 2, 3, 4, 5].map((value, seed) => run('frozen', seed, value)),
  ...[7, 8, 9, 10, Infinity].map((value, seed) => run('pool', seed, value)),
  run('pool', 5, null),
];
const comparison = comparisonDocument({ rows, settings }, 'heldout_return', { resamples: 500 });
const table = tableFrom(compareColumns(comparison.baseline), comparedLines(comparison));
const csv = csvFormat(table)
  .split('\r\n')
  .map((line) => line.split(','));

describe('the columns of a comparison', () => {
  it('give programs every number apart, in full, with nothing where nothing is known and infinities as they are', () => {
    expect(csv[0]).toEqual([
      ...['variant', 'n', 'n_expected', 'mean', 'median', 'iqm', 'iqm_ci95_low', 'iqm_ci95_high'],
      ...['probability_of_improvement', 'probability_of_improvement_ci95_low', 'probability_of_improvement_ci95_high'],
      ...['seeds', 'difference', 'difference_ci95_low', 'difference_ci95_high', 'welch_p', 'wilcoxon_p'],
    ]);
    const [low, high] = comparison.variants[0]!.iqm_ci95!;
    expect(csv[1]).toEqual([
      'frozen',
      '5',
      '5',
      '3',
      '3',
      '3',
      String(low),
      String(high),
      ...Array<string>(9).fill(''),
    ]);
    expect(csv[2]!.slice(0, 6)).toEqual(['pool', '5', '6', 'Infinity', '9', '9']);
    // Of infinite values there is no t test, and ranks do not mind them.
    expect(csv[2]!.slice(11)).toEqual(['5', 'Infinity', '6', 'Infinity', '', String(2 / 2 ** 5)]);
  });

  it('give people an estimate with its interval in one column, and p-values their own digits', () => {
    const [head, , baseline, pool] = markdownFormat(table, []).split('\n');
    expect(head).toBe(
      '| variant | n | mean | median | IQM | P(> frozen) | pairs | − frozen | p Welch | p Wilcoxon |'.replaceAll(
        '>',
        '>',
      ),
    );
    expect(baseline).toMatch(
      /^\| frozen \| 5\/5 \| 3\.\d+ \| 3\.\d+ \| 3\.\d+ \[\S+, \S+\] \| – \| – \| – \| – \| – \|$/,
    );
    expect(pool).toMatch(/\| 1\S* \[1\S*, 1\S*\] \| 5 \| ∞ \[6\S*, ∞\] \| – \| 0\.063 \|$/);
  });
});

it('profiles have a line for every threshold, and a column for every variant', () => {
  const lines = csvFormat(tableFrom(profileColumns(comparison), profileLines(comparison)))
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toBe('heldout_return,frozen,pool');
  expect(lines).toHaveLength(1 + comparison.thresholds.length);
  expect(lines[1]).toMatch(/,1,1$/);
  // The highest threshold is the highest finite value; what is infinite is above it.
  expect(lines.at(-1)).toBe('10,0,0.2');
});
