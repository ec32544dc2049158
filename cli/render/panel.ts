import { type Episode, type ReturnSeries, returnsBySeat, returnSeries } from '../../web/replay/episode.ts';
import { COLORS, seatColor, seatLooks } from './looks.ts';
import type { Box } from './scene.ts';
import { element, short, textElement } from './svg.ts';
import { type Timeline, visibility } from './timeline.ts';

const ROW_HEIGHT = 36;
const CHART_HEIGHT = 84;
const HEAD_HEIGHT = 40;
const SERIES_HEIGHT = 20;
/** Characters of a driver's name that have room. */
const NAME_LENGTH_MAX = 34;

/** Pixels that the panel of an episode needs. */
export function panelHeight(episode: Episode): number {
  const lines = returnSeries(episode).length;
  return HEAD_HEIGHT + lines * SERIES_HEIGHT + CHART_HEIGHT + 36 + episode.drivers.length * ROW_HEIGHT;
}

/** Beside the scene: the step, the returns so far as numbers and as a curve, and who sits where. */
export function renderPanel(episode: Episode, box: Box, timeline: Timeline): string {
  const series = returnSeries(episode);
  const seriesTop = box.top + HEAD_HEIGHT;
  const chartTop = seriesTop + series.length * SERIES_HEIGHT + 6;
  const seatsTop = chartTop + CHART_HEIGHT + 30;
  const right = box.left + box.width;
  const bySeat = returnsBySeat(episode);
  const frames = episode.frames.map((_, frame) =>
    renderFrame(timeline, frame, [
      textElement(stepText(episode, frame), { x: box.left, y: box.top + 20, 'font-size': 20, 'font-weight': 'bold' }),
      ...series.map(({ values }, index) =>
        numberText(values[frame]!, right, seriesTop + index * SERIES_HEIGHT + 12, { 'font-weight': 'bold' }),
      ),
      ...bySeat.map((values, seat) => numberText(values[frame]!, right, seatsTop + seat * ROW_HEIGHT + 11, {})),
    ]),
  );
  return [
    ...series.map((each, index) => seriesName(episode, each, box.left, seriesTop + index * SERIES_HEIGHT + 12)),
    renderChart(episode, series, { ...box, top: chartTop, height: CHART_HEIGHT }, timeline),
    ...episode.drivers.map((_, seat) => renderSeat(episode, seat, box.left, seatsTop + seat * ROW_HEIGHT)),
    ...frames,
  ].join('');
}

/** What is seen in one frame alone. */
function renderFrame(timeline: Timeline, frame: number, content: readonly string[]): string {
  const isShown = Array.from({ length: timeline.frameCount }, (_, index) => index === frame);
  const attributes = { class: 'frame', visibility: visibility(frame === 0) };
  return element('g', attributes, timeline.showing(isShown), ...content);
}

function stepText({ frames, ending, mark }: Episode, frame: number): string {
  const last = frames.length - 1;
  if (mark?.frame === frame) return `step ${frame}: ${mark.text}`;
  return frame === last && last > 0 ? `step ${frame}: ${ending}` : `step ${frame} of ${last}`;
}

function numberText(value: number, x: number, y: number, looks: Readonly<Record<string, string>>): string {
  return textElement(numberOf(value), { x, y, 'text-anchor': 'end', 'font-size': 13, ...looks });
}

/** Two decimals, with a true minus. */
function numberOf(value: number): string {
  return (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace('-', '−');
}

function seriesColor(episode: Episode, { seats }: ReturnSeries): string {
  return episode.cooperative ? COLORS.ink : seatColor(episode, seats[0]!);
}

function seriesName(episode: Episode, series: ReturnSeries, x: number, y: number): string {
  const swatch = element('rect', { x, y: y - 6, width: 14, height: 3, fill: seriesColor(episode, series) });
  return swatch + textElement(series.name, { x: x + 20, y, 'font-size': 13 });
}

/** The curves of the returns over the steps, with a point on each where the episode is. */
function renderChart(episode: Episode, series: readonly ReturnSeries[], box: Box, timeline: Timeline): string {
  const values = series.flatMap((each) => each.values);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const range = high - low || 1;
  const stepWidth = box.width / Math.max(1, timeline.frameCount - 1);
  const heightOf = (value: number) => box.top + 4 + ((high - value) / range) * (box.height - 8);
  const { left: x, top: y, width, height } = box;
  const ground = element('rect', { x, y, width, height, fill: COLORS.ground, rx: 4 });
  const zero = element('line', { x1: x, x2: x + width, y1: heightOf(0), y2: heightOf(0), stroke: COLORS.line });
  const curves = series.map((each) => {
    const places = each.values.map((value, frame): [number, number] => [x + frame * stepWidth, heightOf(value)]);
    const color = seriesColor(episode, each);
    const points = places.map((place) => place.map(short).join(',')).join(' ');
    const transform = `translate(${places[0]!.map(short).join(' ')})`;
    const point = element('circle', { r: 4, fill: color, transform }, timeline.moving(places));
    return element('polyline', { points, fill: 'none', stroke: color, 'stroke-width': 1.5 }) + point;
  });
  return ground + zero + renderMark(episode, box, stepWidth) + curves.join('');
}

/** Where in the curves the marked frame is: a line, and what it is called at its foot. */
function renderMark({ mark }: Episode, box: Box, stepWidth: number): string {
  if (mark === undefined) return '';
  const x = box.left + mark.frame * stepWidth;
  const bottom = box.top + box.height;
  const line = { x1: x, x2: x, y1: box.top, y2: bottom, stroke: COLORS.mark, 'stroke-dasharray': '4 3' };
  // The name stays within the chart, on whichever side there is more room.
  const anchor = x < box.left + box.width / 2 ? 'start' : 'end';
  const name = { x, y: bottom + 13, 'text-anchor': anchor, 'font-size': 12, fill: COLORS.mark };
  return element('line', line) + textElement(`${mark.text}: step ${mark.frame}`, name);
}

function renderSeat(episode: Episode, seat: number, left: number, top: number): string {
  const { name, isScripted } = episode.drivers[seat]!;
  const color = seatColor(episode, seat);
  const role = episode.groups.find(({ seats }) => seats.includes(seat))!.role;
  const disc = element('circle', { cx: left + 13, cy: top + 14, r: 12, ...seatLooks(color, isScripted) });
  const number = textElement(String(seat), {
    x: left + 13,
    y: top + 18.5,
    'text-anchor': 'middle',
    'font-size': 13,
    'font-weight': 'bold',
    fill: isScripted ? COLORS.ink : COLORS.page,
  });
  const text = { x: left + 34, fill: COLORS.ink };
  return (
    disc +
    number +
    textElement(role, { ...text, y: top + 11, 'font-size': 13 }) +
    textElement(shortened(name), { ...text, y: top + 26, 'font-size': 12, fill: COLORS.faintInk })
  );
}

function shortened(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX - 1)}…`;
}
