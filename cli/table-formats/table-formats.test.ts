import { describe, expect, it } from 'vitest';
import type { Column } from '../../learning/results/column.ts';
import { tableFrom } from '../../learning/results/table.ts';
import { TABLE_FORMATS, type TableFormatName } from './index.ts';
import { latexText } from './latex.ts';

interface Row {
  readonly name: string;
  readonly mean: number | null;
  readonly std: number | null;
  readonly low?: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', value: ({ name }) => name },
  {
    key: 'mean',
    kind: 'measure',
    align: 'right',
    joins: { as: 'spread', keys: ['std'], title: 'mean ± std' },
    value: ({ mean }) => mean,
    text: ({ mean }) => (mean === null ? 'RUNNING' : null),
    spread: ({ std }) => std,
  },
  { key: 'std', kind: 'measure', align: 'right', value: ({ std }) => std, spread: ({ std }) => std },
  {
    key: 'low',
    kind: 'measure',
    align: 'right',
    joins: { as: 'interval', keys: ['high'], title: 'interval' },
    value: ({ low }) => low ?? null,
    spread: () => 0.4,
  },
  { key: 'high', kind: 'measure', value: ({ low }) => (low === undefined ? null : low + 1), spread: () => 0.4 },
];
const SPECIAL: readonly Row[] = [
  { name: 'a_b|c & "d", 50 %', mean: -21.48734, std: 0.41261, low: -22 },
  { name: 'nan', mean: NaN, std: NaN },
  { name: 'infinite', mean: -Infinity, std: null },
  { name: 'missing', mean: null, std: null },
];
const table = tableFrom(COLUMNS, SPECIAL);
const written = (format: TableFormatName) =>
  TABLE_FORMATS[format](table, ['over 3 seeds, 95 % of them']).split(/\r?\n/);

describe('a table', () => {
  it('as CSV is every number to its last digit, and tells what is missing from NaN and infinite', () => {
    expect(TABLE_FORMATS.csv(table).split('\r\n')).toEqual([
      'name,mean,std,low,high',
      '"a_b|c & ""d"", 50 %",-21.48734,0.41261,-22,-21',
      'nan,NaN,NaN,,',
      'infinite,-Infinity,,,',
      'missing,,,,',
      '',
    ]);
  });

  it('as JSON has null, and the numbers that JSON does not have as strings', () => {
    const records = JSON.parse(TABLE_FORMATS.json(table)) as Record<string, unknown>[];
    expect(records.map(({ mean }) => mean)).toEqual([-21.48734, 'NaN', '-Infinity', null]);
  });

  it('as Markdown is rounded by its spread, mean and deviation together', () => {
    expect(written('markdown')).toEqual([
      '| name | mean ± std | interval |',
      '|--|--:|--:|',
      '| a_b\\|c & "d", 50 % | -21.49 ± 0.41 | [-22.00, -21.00] |',
      '| nan | NaN | – |',
      '| infinite | -∞ | – |',
      '| missing | RUNNING | – |',
      '',
      'over 3 seeds, 95 % of them',
    ]);
  });

  it('as LaTeX is a tabular of booktabs in which nothing is an order but ours', () => {
    expect(written('latex')).toEqual([
      '% \\usepackage{booktabs}',
      '% over 3 seeds, 95 % of them',
      '\\begin{tabular}{lrr}',
      '\\toprule',
      'name & mean $\\pm$ std & interval \\\\',
      '\\midrule',
      'a\\_b\\textbar{}c \\& \\textquotedbl{}d\\textquotedbl{}, 50 \\% & $-21.49 \\pm 0.41$ & $[-22.00, -21.00]$ \\\\',
      'nan & NaN & -- \\\\',
      'infinite & $-\\infty$ & -- \\\\',
      'missing & RUNNING & -- \\\\',
      '\\bottomrule',
      '\\end{tabular}',
    ]);
    expect(latexText('\\input{x}^~')).toBe('\\textbackslash{}input\\{x\\}\\textasciicircum{}\\textasciitilde{}');
  });

  it('on a terminal has two decimals, and the same words', () => {
    expect(written('table').map((line) => line.split(/ {2,}/))).toEqual([
      ['name', 'mean ± std', 'interval'],
      ['a_b|c & "d", 50 %', '-21.49 ± 0.41', '[-22.00, -21.00]'],
      ['nan', 'NaN', '–'],
      ['infinite', '-Infinity', '–'],
      ['missing', 'RUNNING', '–'],
      [''],
      ['over 3 seeds, 95 % of them'],
    ]);
  });

  it('shows a column alone where what it is read with is not shown', () => {
    const alone = tableFrom(COLUMNS.slice(0, 2), SPECIAL.slice(0, 1));
    expect(TABLE_FORMATS.markdown(alone, []).split('\n')).toEqual([
      '| name | mean |',
      '|--|--:|',
      '| a_b\\|c & "d", 50 % | -21.49 |',
    ]);
  });
});
