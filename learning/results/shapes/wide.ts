import type { Column } from '../column.ts';
import { metricValue } from '../result-columns.ts';
import { groupRows } from '../result-summary.ts';
import type { ResultRow } from '../result-row.ts';
import { tableFrom } from '../table.ts';
import { sortedBy, type Dimension, type Shape } from './shape.ts';

type Line = readonly [name: string, cells: ReadonlyMap<string, ResultRow>];

/** One row a seed and a column a variant, or the other way round: one metric of every run in its cell. */
export const WIDE: Shape = {
  rowIs: 'a seed',
  pinned: ['seed', 'variant'],
  takesManyMetrics: false,
  build: ({ rows, metrics, by }) => {
    const [down, across] = dimensions(by);
    const names = [...groupRows(sortedBy(rows, across), (row) => String(row[across])).keys()];
    const lines = [...groupRows(sortedBy(rows, down), (row) => String(row[down]))].map(([name, group]): Line => [
      name,
      new Map(group.map((row) => [String(row[across]), row])),
    ]);
    const columns = [nameColumn(down), ...names.map((name) => column(name, down, metrics[0]!))];
    return { table: tableFrom(columns, lines), notes: [`${metrics[0]!} by ${down} and ${across}.`] };
  },
};

function dimensions(by: readonly Dimension[]): readonly [down: Dimension, across: Dimension] {
  return by[0] === 'variant' ? ['variant', 'seed'] : ['seed', 'variant'];
}

function nameColumn(down: Dimension): Column<Line> {
  return {
    key: down,
    value: ([name]) => (down === 'seed' ? Number(name) : name),
  };
}

function column(name: string, down: Dimension, metric: string): Column<Line> {
  const valueIn = (cells: Line[1]): number | null => {
    const row = cells.get(name);
    return row === undefined ? null : metricValue(row, metric);
  };
  return {
    // A variant may be called as the column that says which seed a row is.
    key: name === down ? `${down}:${name}` : name,
    kind: 'measure',
    align: 'right',
    value: ([, cells]) => valueIn(cells),
    text: ([, cells]) => (valueIn(cells) === null ? stateText(cells.get(name)) : null),
  };
}

/** Of a run that is measured the metric itself may be missing, as the held-out return of a specialist is. */
function stateText(row: ResultRow | undefined): string | null {
  return row === undefined || row.last !== null ? null : row.state;
}
