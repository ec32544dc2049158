import { mean } from '../../learning/statistics/moments.ts';
import { element, short } from '../render/svg.ts';
import { chart, horizontalAxis, legend, scaleOver, verticalAxis, type Scale } from './chart.ts';
import type { StudyCurve } from './read-results.ts';

const WIDTH = 820;
const HEIGHT = 420;
const LEFT = 74;
const RIGHT = WIDTH - 24;
const TOP = 62;
const BOTTOM = HEIGHT - 52;
const MILLION = 1e6;
const SERIES = [
  { value: 'trainReturn', style: 'train' },
  { value: 'heldoutReturn', style: 'heldout' },
] as const;

/** All runs after the same number of env steps. */
interface Moment {
  readonly envSteps: number;
  readonly values: readonly number[];
}

/** Train and held-out return along training: the mean over runs, and a band from the lowest to the highest of them. */
export function curveFigure(title: string, points: readonly StudyCurve[]): string | null {
  const series = SERIES.map(({ value, style }) => ({ style, moments: momentsOf(points, value) }));
  const values = series.flatMap(({ moments }) => moments.flatMap((moment) => moment.values));
  if (values.length === 0) return null;
  const x = scaleOver([0, ...points.map(({ envSteps }) => envSteps / MILLION)], LEFT, RIGHT);
  const y = scaleOver(values, BOTTOM, TOP);
  return chart({ width: WIDTH, height: HEIGHT }, title, [
    ...legend(LEFT, 48, false),
    ...horizontalAxis(x, { top: TOP, bottom: BOTTOM, title: 'env steps of training (million)' }),
    ...verticalAxis(y, { left: LEFT, right: RIGHT, title: 'return of an episode (reward)' }),
    ...series.map(({ style, moments }) => bandOf(moments, style, x, y)),
    ...series.map(({ style, moments }) => lineOf(moments, style, x, y)),
  ]);
}

function momentsOf(points: readonly StudyCurve[], value: (typeof SERIES)[number]['value']): Moment[] {
  const moments = new Map<number, number[]>();
  for (const point of points) {
    const measured = point[value];
    if (measured === null || !Number.isFinite(measured)) continue;
    moments.set(point.envSteps, [...(moments.get(point.envSteps) ?? []), measured]);
  }
  return [...moments].map(([envSteps, values]) => ({ envSteps, values })).sort((a, b) => a.envSteps - b.envSteps);
}

function bandOf(moments: readonly Moment[], style: string, x: Scale, y: Scale): string {
  const edge = (pick: (...values: number[]) => number, each: readonly Moment[]) =>
    each.map(({ envSteps, values }) => pointText(x.at(envSteps / MILLION), y.at(pick(...values))));
  const points = [...edge(Math.max, moments), ...edge(Math.min, [...moments].reverse())];
  return element('polygon', { points: points.join(' '), class: `${style} band` });
}

function lineOf(moments: readonly Moment[], style: string, x: Scale, y: Scale): string {
  const points = moments.map(({ envSteps, values }) => pointText(x.at(envSteps / MILLION), y.at(mean(values))));
  return element('polyline', { points: points.join(' '), class: `${style} line` });
}

function pointText(x: number, y: number): string {
  return `${short(x)},${short(y)}`;
}
