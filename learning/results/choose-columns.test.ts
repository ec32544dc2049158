import { describe, expect, it } from 'vitest';
import { chooseColumns, columnChoiceFrom } from './choose-columns.ts';
import { tableFrom } from './table.ts';

const table = tableFrom<number>(
  [
    { key: 'variant', value: () => 'pool' },
    { key: 'seed', value: (seed) => seed },
    { key: 'gap', joins: { as: 'spread', keys: ['gap_std'] }, value: (seed) => seed / 2 },
    { key: 'gap_std', isPart: true, value: () => 0.1 },
    { key: 'reason', value: () => null },
  ],
  [0, 1],
);
const keysOf = (names: readonly string[]) =>
  chooseColumns(table, columnChoiceFrom(names), ['variant', 'seed']).columns.map(({ key }) => key);

describe('chosen columns', () => {
  it('stand after those that say what a row is, in the order asked for and each once', () => {
    expect(keysOf(['reason', 'gap'])).toEqual(['variant', 'seed', 'reason', 'gap', 'gap_std']);
    expect(keysOf(['gap', 'seed', 'gap'])).toEqual(['variant', 'seed', 'gap', 'gap_std']);
  });

  it('are all where none is named, without those that are hidden', () => {
    expect(keysOf([])).toEqual(table.columns.map(({ key }) => key));
    expect(keysOf(['-reason'])).toEqual(['variant', 'seed', 'gap', 'gap_std']);
    expect(keysOf(['-gap'])).toEqual(['variant', 'seed', 'reason']);
    expect(keysOf(['gap', 'reason', '-reason'])).toEqual(['variant', 'seed', 'gap', 'gap_std']);
  });

  it('take their cells with them', () => {
    const chosen = chooseColumns(table, columnChoiceFrom(['gap']), ['seed']);
    expect(chosen.rows.map((row) => row.map(({ value }) => value))).toEqual([
      [0, 0, 0.1],
      [1, 0.5, 0.1],
    ]);
  });
});
