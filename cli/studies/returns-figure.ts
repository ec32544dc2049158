import { element, textElement } from '../render/svg.ts';
import { metricValue } from '../../learning/results/result-columns.ts';
import { confidenceInterval, summarize } from '../../learning/results/result-summary.ts';
import { randomReturn } from '../results/results-table.ts';
import { chart, horizontalAxis, legend, scaleOver, type Scale } from './chart.ts';
import type { StudyRow } from './read-results.ts';
import { COMPARED, variantsOf, type VariantRows } from './variant-rows.ts';

const WIDTH = 820;
const LEFT = 200;
const RIGHT = WIDTH - 24;
const TOP = 62;
const LANE = 18;
const ROW = 2 * LANE + 10;
const SERIES = [
  { metric: 'train_return', style: 'train' },
  { metric: COMPARED, style: 'heldout' },
] as const;

/** Train and held-out return of every variant: a point for every seed, the mean, its 95 % interval; null where none is. */
export function returnsFigure(title: string, rows: readonly StudyRow[]): string | null {
  const variants = variantsOf(rows);
  const values = SERIES.flatMap(({ metric }) => variants.flatMap((variant) => valuesOf(variant, metric)));
  if (values.length === 0) return null;
  const random = randomReturn(rows.map(({ row }) => row));
  const scale = scaleOver(random === null ? values : [...values, random], LEFT, RIGHT);
  const bottom = TOP + variants.length * ROW;
  return chart({ width: WIDTH, height: bottom + 48 }, title, [
    ...legend(LEFT, 48, random !== null),
    ...horizontalAxis(scale, { top: TOP, bottom, title: 'return of an episode (reward)' }),
    ...(random === null ? [] : [randomLine(scale.at(random), bottom)]),
    ...variants.flatMap((variant, index) => variantMarks(variant, scale, TOP + index * ROW)),
  ]);
}

function randomLine(x: number, bottom: number): string {
  return element('line', { x1: x, y1: TOP, x2: x, y2: bottom, class: 'random' });
}

/** Values that can be drawn. */
function valuesOf({ rows }: VariantRows, metric: string): number[] {
  return rows
    .map((row) => metricValue(row, metric))
    .filter((value) => value !== null)
    .filter(Number.isFinite);
}

function variantMarks(variant: VariantRows, scale: Scale, top: number): string[] {
  const name = textElement(variant.variant, { x: LEFT - 12, y: top + ROW / 2 + 4, 'text-anchor': 'end' });
  return [
    name,
    ...SERIES.flatMap((series, lane) => seriesMarks(variant, series, scale, top + 5 + LANE * (lane + 0.5))),
  ];
}

function seriesMarks(
  variant: VariantRows,
  { metric, style }: (typeof SERIES)[number],
  scale: Scale,
  y: number,
): string[] {
  const points = valuesOf(variant, metric).map((value) =>
    element('circle', { cx: scale.at(value), cy: y, r: 3, class: `${style} seed` }),
  );
  const { mean } = summarize(variant.rows, metric);
  if (mean === null || !Number.isFinite(mean)) return points;
  const interval = confidenceInterval(variant.rows, metric);
  const span =
    interval === null
      ? []
      : [
          element('line', {
            x1: scale.at(interval[0]),
            y1: y,
            x2: scale.at(interval[1]),
            y2: y,
            class: style,
            'stroke-width': 3,
          }),
        ];
  return [...points, ...span, element('circle', { cx: scale.at(mean), cy: y, r: 5, class: style })];
}
