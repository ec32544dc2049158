import { describe, expect, it } from 'vitest';
import { mean } from '../../learning/statistics/moments.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import { cellTable, costTable } from './cell-table.ts';
import { partSummary } from './part-summary.ts';
import type { StudyRow } from './read-results.ts';
import { variantTable } from './variant-table.ts';

const SEEDS = [0, 1, 2, 3, 4];
const frozenReturns = [-12, -11, -13, -12.5, -11.5];
const GAIN = 4;

function runsOf(variant: string, returns: readonly number[], cells: StudyRow['cells'] = {}): StudyRow[] {
  return SEEDS.map((seed) => {
    const last = scores({ heldoutReturn: returns[seed]!, heldoutGain: returns[seed]! + 14 });
    return { row: resultRow({ variant, seed, last, wallS: seed + 1 }), cells };
  });
}

const frozen = runsOf('frozen', frozenReturns);
const pool = runsOf(
  'pool',
  frozenReturns.map((value) => value + GAIN),
  { scoring_env_steps: 1200 },
);
const broken: StudyRow = {
  row: resultRow({ variant: 'broken', state: 'FAILED', last: null, best: null, wallS: null }),
  cells: {},
};
const rows = [...frozen, ...pool, broken];
const lineOf = (text: string, variant: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`| \`${variant}\` `))!
    .split('|')
    .map((cell) => cell.trim());

describe('the table of variants', () => {
  const table = variantTable(rows, 'frozen');

  it('has means, chance, and the difference under the same seeds, in which what a seed does to both cancels', () => {
    expect(lineOf(table, 'frozen')).toEqual(
      expect.arrayContaining(['5/5', measureText(mean(frozenReturns)), '-14.00']),
    );
    // Of the 2⁵ choices of signs, these and all of them reversed give as large a sum.
    expect(lineOf(table, 'pool')).toContain(`+4.00 [4.00, 4.00], p ${measureText(2 / 2 ** SEEDS.length)}`);
  });

  it('corrects p-values for all variants that are compared, and says that the intervals are not', () => {
    const names = ['pool', 'wide', 'deep'];
    const others = names.flatMap((name, index) =>
      runsOf(
        name,
        frozenReturns.map((value) => value + GAIN + index),
      ),
    );
    const several = variantTable([...frozen, ...others, broken], 'frozen');
    const corrected = measureText((names.length * 2) / 2 ** SEEDS.length);
    for (const [index, name] of names.entries()) {
      const gain = measureText(GAIN + index);
      expect(lineOf(several, name)).toContain(`+${gain} [${gain}, ${gain}], p ${corrected}`);
    }
    const caption = several.split('\n').at(-1);
    expect(caption).toMatch(/^held-out − frozen: .*interval, which is not corrected for comparing several variants/);
    expect(caption).toContain(`the ${names.length} that are compared`);
  });

  it('has no word on intervals where no difference has one', () => {
    const few = [...frozen.slice(0, 4), ...pool.slice(0, 4)];
    expect(variantTable(few, 'frozen')).not.toContain('interval');
  });

  it('has a line for a variant that measured nothing, and none of its cells is a number', () => {
    expect(
      lineOf(table, 'broken')
        .slice(3)
        .filter((cell) => /\d/.test(cell)),
    ).toEqual([]);
    expect(lineOf(table, 'broken')).toContain('0/1');
  });

  it('has a column of costs only where somebody had them', () => {
    expect(table).toContain('of scoring');
    expect(table).not.toContain('of mining');
    expect(lineOf(table, 'pool')).toContain('1 200');
  });
});

describe('the tables of a batch', () => {
  it('show every run in its cell, with its state where it has no value', () => {
    expect(lineOf(cellTable(rows), 'pool').slice(2, -1)).toEqual(
      frozenReturns.map((value) => measureText(value + GAIN)),
    );
    expect(lineOf(cellTable(rows), 'broken').slice(2, -1)).toEqual(['FAILED', '–', '–', '–', '–']);
  });

  it('show mean and most of what runs took, and nothing where nothing was measured', () => {
    expect(lineOf(costTable(rows), 'frozen').slice(2, 4)).toEqual(['3.0 s', '5.0 s']);
    expect(lineOf(costTable(rows), 'broken').slice(2, 4)).toEqual(['–', '–']);
  });
});

describe('the summary of a part', () => {
  const part = {
    ...{ experiment: 'example', title: 'Example', baseline: 'frozen' },
    ...{ curve: false, curvePoints: null, sensitivity: false, sensitivities: null },
    ...{ against: [], simulators: false, simulatorReturns: null, leaderboard: false },
  };

  it('names the baseline, and the variant with the highest held-out return against it', () => {
    const text = partSummary({ ...part, rows })!;
    expect(text).toContain('`frozen`: held-out return -12.00, relative gap 0.67 [');
    expect(text).toContain(
      '`pool` -8.00, +4.00 [4.00, 4.00], p 0.06 against `frozen` (p after Holm over all variants, the interval not corrected).',
    );
  });

  it('says so where no variant beats the baseline', () => {
    expect(partSummary({ ...part, baseline: 'pool', rows })).toContain('No other variant');
  });

  it('is none before the experiment has been run', () => {
    expect(partSummary({ ...part, rows: null })).toBeNull();
  });
});
