import { numberText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { Line, LinePoint } from './line.ts';

interface Row {
  readonly x: number;
  readonly points: readonly (LinePoint | undefined)[];
}

/** The values of a chart: a row for each x, a column for each line. */
export function LineTable({
  title,
  lines,
  xLabel,
}: {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly xLabel: string;
}) {
  const byX = lines.map(({ points }) => new Map(points.map((point) => [point.x, point])));
  const x = [...new Set(lines.flatMap(({ points }) => points.map((point) => point.x)))].sort((a, b) => a - b);
  const rows: Row[] = x.map((each) => ({ x: each, points: byX.map((points) => points.get(each)) }));
  const columns: TableColumn<Row>[] = [
    { key: 'x', title: xLabel, cell: (row) => numberText(row.x), isNumber: true, isPinned: true, isRowHeader: true },
    ...lines.map(({ label }, index): TableColumn<Row> => ({
      key: `${index}`,
      title: label,
      isNumber: true,
      cell: ({ points }) => pointText(points[index]),
    })),
  ];
  return <Table caption={`${title}, values`} columns={columns} rows={rows} rowKey={(row) => String(row.x)} />;
}

/** A value with its band and n, as far as it has them. */
function pointText(point: LinePoint | undefined): string {
  if (point === undefined) return '';
  const band =
    point.low === undefined || point.low === null ? '' : ` [${numberText(point.low)}, ${numberText(point.high)}]`;
  const count = point.n === undefined ? '' : ` (n = ${point.n})`;
  return `${numberText(point.y)}${band}${count}`;
}
