import { element, short, textElement, type Attributes } from '../render/svg.ts';

/** From a value to a place in pixels. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly at: (value: number) => number;
}

/** Distance of round ticks: 1, 2 or 5 times a power of ten, such that about `count` of them fit between two values. */
function tickStep(low: number, high: number, count: number): number {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.999) ?? 10);
}

/** Round values between two values, both included. */
export function ticksBetween(low: number, high: number, count = 6): number[] {
  const step = tickStep(low, high, count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Rounded, because multiples of 0.1 are not what they look like.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** A linear scale that holds all values, with a margin of a twentieth; pixels may run in either direction. */
export function scaleOver(values: readonly number[], from: number, to: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spread = most - least;
  // Values that differ in their last digits alone are one value: a margin of their difference would be rounded away.
  const isFlat = spread <= 1e-9 * Math.max(Math.abs(least), Math.abs(most));
  const margin = isFlat ? 1 : spread * 0.05 || 1;
  const [low, high] = [least - margin, most + margin];
  return { low, high, at: (value) => from + ((value - low) / (high - low)) * (to - from) };
}

/** Colours as classes, so that a page in the dark shows a picture in the dark. Blue and orange of Okabe and Ito. */
const STYLE = `
  text { font-family: system-ui, sans-serif; font-size: 12px; fill: #1f2933; }
  .title { font-size: 15px; font-weight: 600; }
  .faint { fill: #5f6b7a; }
  .page { fill: #ffffff; }
  .grid { stroke: #d5dae0; }
  .random { stroke: #5f6b7a; stroke-dasharray: 5 4; }
  .train { fill: #0072b2; stroke: #0072b2; }
  .heldout { fill: #d55e00; stroke: #d55e00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb; }
    .faint { fill: #9aa5b1; }
    .page { fill: #0d1117; }
    .grid { stroke: #323f4b; }
    .random { stroke: #9aa5b1; }
    .train { fill: #56b4e9; stroke: #56b4e9; }
    .heldout { fill: #e69f00; stroke: #e69f00; }
  }
  .line { fill: none; stroke-width: 2; }
  .band { fill-opacity: 0.2; stroke: none; }
  .seed { fill-opacity: 0.35; stroke: none; }
`;

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

/** A whole picture: ground, title, and whatever is drawn on it. @param title also read aloud in its place */
export function chart({ width, height }: ChartSize, title: string, children: readonly string[]): string {
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height };
  const label: Attributes = { role: 'img', 'aria-label': title };
  return `${element(
    'svg',
    { ...attributes, ...label },
    element('style', {}, STYLE),
    element('rect', { width, height, class: 'page' }),
    textElement(title, { x: 16, y: 26, class: 'title' }),
    ...children,
  )}\n`;
}

/** What stands for train and held-out, and for chance where it is drawn. */
export function legend(x: number, y: number, hasRandom: boolean): string[] {
  const entries = [
    ['train', 'train panel'],
    ['heldout', 'held-out panel'],
  ] as const;
  const marks = entries.flatMap(([style, text], index) => [
    element('circle', { cx: x + index * 110, cy: y - 4, r: 5, class: style }),
    textElement(text, { x: x + 10 + index * 110, y }),
  ]);
  if (!hasRandom) return marks;
  return [
    ...marks,
    element('line', { x1: x + 230, y1: y - 4, x2: x + 254, y2: y - 4, class: 'random' }),
    textElement('random policy, held-out panel', { x: x + 260, y }),
  ];
}

/** Lines and numbers of the horizontal axis, and what it measures in which unit. */
export function horizontalAxis(
  scale: Scale,
  { top, bottom, title, text = String }: { top: number; bottom: number; title: string; text?: (v: number) => string },
): string[] {
  const ticks = ticksBetween(scale.low, scale.high).flatMap((value) => {
    const x = scale.at(value);
    return [
      element('line', { x1: x, y1: top, x2: x, y2: bottom, class: 'grid' }),
      textElement(text(value), { x, y: bottom + 16, 'text-anchor': 'middle', class: 'faint' }),
    ];
  });
  const middle = (scale.at(scale.low) + scale.at(scale.high)) / 2;
  return [...ticks, textElement(title, { x: middle, y: bottom + 36, 'text-anchor': 'middle' })];
}

/** Lines and numbers of the vertical axis, and what it measures in which unit. */
export function verticalAxis(
  scale: Scale,
  { left, right, title }: { left: number; right: number; title: string },
): string[] {
  const ticks = ticksBetween(scale.low, scale.high).flatMap((value) => {
    const y = scale.at(value);
    return [
      element('line', { x1: left, y1: y, x2: right, y2: y, class: 'grid' }),
      textElement(String(value), { x: left - 8, y: y + 4, 'text-anchor': 'end', class: 'faint' }),
    ];
  });
  const middle = (scale.at(scale.low) + scale.at(scale.high)) / 2;
  const turn = `rotate(-90 18 ${short(middle)})`;
  return [...ticks, textElement(title, { x: 18, y: middle, 'text-anchor': 'middle', transform: turn })];
}
