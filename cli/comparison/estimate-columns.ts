import type { Column } from '../../learning/results/column.ts';
import type { JsonNumber } from '../../web/contract/numbers.ts';

/** The ends of a 95 % interval; null where there is none. */
export type Ends = readonly [JsonNumber, JsonNumber] | null;

/** What is estimated of a row, and how sure it is. */
interface Estimate<Row> {
  readonly key: string;
  readonly title: string;
  readonly value: (row: Row) => JsonNumber | null;
  readonly ends: (row: Row) => Ends;
}

/** A column that people read as `value [low, high]`, and programs as three. */
export function estimateColumns<Row>({ key, title, value, ends }: Estimate<Row>): Column<Row>[] {
  const [low, high] = [`${key}_ci95_low`, `${key}_ci95_high`];
  const measure = { kind: 'measure', align: 'right', spread: (row: Row) => halfWidth(ends(row)) } as const;
  return [
    { key, title, ...measure, joins: { as: 'estimate', keys: [low, high], title }, value },
    { key: low, ...measure, isPart: true, value: (row) => ends(row)?.[0] ?? null },
    { key: high, ...measure, isPart: true, value: (row) => ends(row)?.[1] ?? null },
  ];
}

/** How far a value may be off, which says how many of its digits mean something. */
export function halfWidth(ends: Ends): number | null {
  return ends === null ? null : (Number(ends[1]) - Number(ends[0])) / 2;
}
