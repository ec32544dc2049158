import type { Column } from './column.ts';
import { holds, type Condition } from './condition.ts';

/** The rows of which every condition holds, in their order. Each condition names one of the columns. */
export function filterRows<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  conditions: readonly Condition[],
): readonly Row[] {
  const tests = conditions.map((condition) => {
    const { value } = columns.find(({ key }) => key === condition.column)!;
    return (row: Row) => holds(value(row), condition);
  });
  return rows.filter((row) => tests.every((test) => test(row)));
}
