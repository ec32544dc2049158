import type { Column } from '../../learning/results/column.ts';
import { describe, expect, it } from 'vitest';
import { jsonText } from './json-text.ts';
import { listingText } from './listing.ts';

interface Row {
  readonly name: string;
  readonly value: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', value: ({ name }) => name },
  { key: 'value', align: 'right', value: ({ value }) => value, text: ({ value }) => value?.toFixed(1) ?? 'none' },
];
const rows: readonly Row[] = [
  { name: 'first', value: 0.1 + 0.2 },
  { name: 'a "second", longer', value: NaN },
  { name: 'third', value: null },
];

describe('a listing', () => {
  it('as a table is aligned and shortened for the eye', () => {
    expect(listingText(COLUMNS, rows, 'table').split('\n')).toEqual([
      'name                value',
      'first                 0.3',
      'a "second", longer    NaN',
      'third                none',
    ]);
  });

  it('as CSV and JSON keeps every digit', () => {
    expect(listingText(COLUMNS, rows, 'csv').split('\r\n')).toEqual([
      'name,value',
      `first,${0.1 + 0.2}`,
      '"a ""second"", longer",NaN',
      'third,',
      '',
    ]);
    const parsed = JSON.parse(listingText(COLUMNS, rows, 'json')) as unknown;
    expect(parsed).toEqual([rows[0], { ...rows[1], value: 'NaN' }, rows[2]]);
  });
});

describe('JSON', () => {
  it('has words for the numbers that it does not know', () => {
    expect(jsonText([NaN, Infinity, -Infinity, 1e-300])).toBe('["NaN","Infinity","-Infinity",1e-300]');
  });
});
