import uPlot from 'uplot';
import { shortText } from './short-text.ts';
import { colorNow, withOpacity } from '../theme.ts';
import { align, type Line } from './line.ts';

export interface Drawing {
  readonly lines: readonly Line[];
  readonly xLabel: string;
  readonly yLabel: string;
  readonly heightPx: number;
  readonly yRange?: readonly [number, number];
  readonly isStepped?: boolean;
  /** Told where the pointer is: an x, or null when it has left. */
  readonly onPoint: (x: number | null) => void;
}

const BAND_OPACITY = 0.14;
const FONT = '12px system-ui, sans-serif';

/** Draws lines with their bands into an element. */
export function drawLines(element: HTMLElement, drawing: Drawing): uPlot {
  const { x, lines } = align(drawing.lines);
  const columns = lines.flatMap(({ high, low, y }) => [high, low, y]);
  return new uPlot(optionsOf(element, drawing, x), [x, ...columns], element);
}

/** Each line is three series: the upper and lower edge of its band, undrawn, and itself. */
function optionsOf(element: HTMLElement, drawing: Drawing, x: readonly number[]): uPlot.Options {
  const { lines, heightPx, yRange } = drawing;
  return {
    width: Math.max(200, element.clientWidth),
    height: heightPx,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: false, range: paddedRange },
      y: yRange === undefined ? { range: spacedRange } : { range: [yRange[0], yRange[1]] },
    },
    axes: [axisOf(drawing.xLabel, 34), axisOf(drawing.yLabel, 56)],
    series: [{}, ...lines.flatMap((line) => seriesOf(line, drawing))],
    bands: lines.map(({ color }, index) => ({
      series: [1 + 3 * index, 2 + 3 * index] as [number, number],
      fill: () => withOpacity(colorNow(color), BAND_OPACITY),
    })),
    hooks: {
      setCursor: [
        ({ cursor }: uPlot) =>
          drawing.onPoint(typeof cursor.idx === 'number' && (cursor.left ?? -1) >= 0 ? x[cursor.idx]! : null),
      ],
    },
  };
}

function seriesOf({ color, isDashed = false, points }: Line, { isStepped = false }: Drawing): uPlot.Series[] {
  const edge: uPlot.Series = { width: 0, points: { show: false } };
  const stroke = () => colorNow(color);
  const line: uPlot.Series = {
    stroke,
    width: isDashed ? 1.5 : 2,
    points: { show: points.length < 30, size: 5, stroke, fill: stroke },
    ...(isDashed && { dash: [5, 4] }),
    ...(isStepped && { paths: uPlot.paths.stepped!({ align: 1 }) }),
  };
  return [edge, edge, line];
}

const axisOf = (label: string, size: number): uPlot.Axis => ({
  label,
  size,
  labelSize: 20,
  font: FONT,
  labelFont: FONT,
  stroke: () => colorNow('--ink-soft'),
  grid: { stroke: () => colorNow('--line-soft'), width: 1 },
  ticks: { stroke: () => colorNow('--line-soft'), width: 1, size: 4 },
  values: (_plot, splits) => splits.map(shortText),
});

/** One x alone would otherwise be a scale without extent. */
function paddedRange(_plot: uPlot, low: number, high: number): [number, number] {
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** Some room above and below; values that are all the same lie in the middle. */
function spacedRange(_plot: uPlot, low: number | null, high: number | null): [number | null, number | null] {
  if (low === null || high === null) return [low, high];
  const room = high === low ? Math.max(0.5, Math.abs(low) / 10) : (high - low) / 12;
  return [low - room, high + room];
}
