import type { Column } from '../column.ts';
import type { ResultRow } from '../result-row.ts';
import { FOLD_COLUMNS } from '../fold-columns.ts';
import { groupRows } from '../result-summary.ts';
import { metricFold, type MetricFold } from '../metric-fold.ts';
import { tableFrom } from '../table.ts';
import { sortedBy, type Dimension, type Shape, type ShapeRequest } from './shape.ts';

/** One row a variant and metric: what the metric is over seeds. People get several metrics side by side. */
export const FOLD: Shape = {
  rowIs: 'a variant over its seeds',
  pinned: ['variant', 'seed', 'metric'],
  takesManyMetrics: true,
  build: (request) => {
    const { metrics, isForPeople } = request;
    const groups = foldedGroups(request);
    const dimension = dimensionOf(request);
    const isBeside = isForPeople && metrics.length > 1;
    return {
      table: isBeside
        ? tableFrom(besideColumns(dimension, request), groups)
        : tableFrom(foldColumns(dimension, !isForPeople), groups.flatMap(linesOf)),
      notes: foldNotes(request, isBeside),
    };
  },
};

interface FoldedGroup {
  readonly name: string | number;
  readonly folds: ReadonlyMap<string, MetricFold>;
}

interface FoldLine extends MetricFold {
  readonly name: string | number;
  readonly metric: string;
}

/** Folded over seeds, by variant; over variants where it is asked by seed alone. */
function dimensionOf({ by }: ShapeRequest): Dimension {
  return by.length === 1 && by[0] === 'seed' ? 'seed' : 'variant';
}

function foldedGroups(request: ShapeRequest): FoldedGroup[] {
  const dimension = dimensionOf(request);
  return [...groupRows<ResultRow, string | number>(sortedBy(request.rows, dimension), (row) => row[dimension])].map(
    ([name, group]) => ({
      name,
      folds: new Map(request.metrics.map((metric) => [metric, metricFold(group, metric)])),
    }),
  );
}

function linesOf({ name, folds }: FoldedGroup): FoldLine[] {
  return [...folds].map(([metric, fold]) => ({ name, metric, ...fold }));
}

function foldColumns(dimension: Dimension, hasMetric: boolean): Column<FoldLine>[] {
  const metric: Column<FoldLine> = { key: 'metric', value: (line) => line.metric };
  return [{ key: dimension, value: ({ name }) => name }, ...(hasMetric ? [metric] : []), ...FOLD_COLUMNS];
}

/** A column a metric, each mean with what it may be off by. */
function besideColumns(dimension: Dimension, { metrics, spread }: ShapeRequest): Column<FoldedGroup>[] {
  return [
    { key: dimension, value: ({ name }) => name },
    { key: 'n', align: 'right', value: countsText },
    ...metrics.flatMap((metric): Column<FoldedGroup>[] => {
      const fold = ({ folds }: FoldedGroup): MetricFold => folds.get(metric)!;
      const measure = { kind: 'measure', align: 'right', spread: (group: FoldedGroup) => fold(group).std } as const;
      const part = (key: string, value: (fold: MetricFold) => number | null): Column<FoldedGroup> => ({
        key: `${metric}_${key}`,
        ...measure,
        isPart: true,
        value: (group) => value(fold(group)),
      });
      const parts =
        spread === 'std'
          ? [part('std', ({ std }) => std)]
          : [
              part('ci95_low', ({ interval }) => interval?.[0] ?? null),
              part('ci95_high', ({ interval }) => interval?.[1] ?? null),
            ];
      const joins = { as: spread === 'std' ? 'spread' : 'estimate', keys: parts.map(({ key }) => key) } as const;
      return [{ key: metric, ...measure, joins, value: (group) => fold(group).mean }, ...parts];
    }),
  ];
}

/** Of how many runs, of those there should be; a range where that differs between metrics. */
function countsText({ folds }: FoldedGroup): string {
  const counts = [...folds.values()];
  const [low, high] = [Math.min(...counts.map(({ n }) => n)), Math.max(...counts.map(({ n }) => n))];
  return `${low === high ? low : `${low}–${high}`}/${counts[0]!.nExpected}`;
}

function foldNotes({ metrics, spread }: ShapeRequest, isBeside: boolean): string[] {
  const beside =
    spread === 'std'
      ? 'mean ± standard deviation over n runs'
      : 'mean [95 % bootstrap interval of it] over n runs; none below five';
  return [
    ...(isBeside ? [`${beside}, of those expected.`] : [`${metrics[0]!} over n of the runs expected.`]),
    ...(metrics.some((metric) => metric.endsWith('relative_gap'))
      ? ['The mean of a relative gap is that of all runs together, since a ratio of sums is not a mean of ratios.']
      : []),
  ];
}
