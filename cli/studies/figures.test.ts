import { describe, expect, it } from 'vitest';
import { parseXml } from '../../test/support/parse-xml.ts';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { curveFigure } from './curve-figure.ts';
import { curvesOf, curveTable, fallCounts, peakOf } from './curve-table.ts';
import type { StudyCurve, StudyRow } from './read-results.ts';
import { returnsFigure } from './returns-figure.ts';

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

describe('the picture of returns', () => {
  const runs = (variant: string, seeds: number): StudyRow[] =>
    Array.from({ length: seeds }, (_, seed) => ({
      row: resultRow({
        variant,
        seed,
        last: scores({ trainReturn: -8 - seed, heldoutReturn: -11 - seed, heldoutGain: 3 - seed }),
      }),
      cells: {},
    }));
  const svg = returnsFigure('Frozen & pool', [...runs('frozen', 5), ...runs('pool', 4)])!;

  it('has a point for every seed and a mean for every variant, of train and of held-out', () => {
    expect(count(svg, /class="(train|heldout) seed"/g)).toBe(2 * (5 + 4));
    expect(count(svg, /<circle[^>]* r="5" class="(train|heldout)"/g)).toBe(2 * 2 + 2);
  });

  it('has an interval only where there are five seeds', () => {
    expect(count(svg, /stroke-width="3"/g)).toBe(2);
  });

  it('is well-formed, says its unit, asks for no font from elsewhere, and knows the dark', () => {
    expect(parseXml(svg).name).toBe('svg');
    expect(svg).toContain('Frozen &amp; pool');
    expect(svg).toContain('(reward)');
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toMatch(/href|url\(|@import|@font-face/);
  });

  it('is none where nothing was measured', () => {
    expect(returnsFigure('x', [{ row: resultRow({ last: null }), cells: {} }])).toBeNull();
  });
});

const point = (seed: number, round: number, heldoutReturn: number | null): StudyCurve => ({
  variant: 'frozen',
  seed,
  round,
  envSteps: round * 1000,
  trainReturn: -10 + round,
  validationReturn: null,
  heldoutReturn,
  worstHeldout: null,
  trainSuccess: null,
  zeroVarianceShare: null,
  policyEntropy: null,
  dwelling: null,
  indifference: null,
});
const rows: StudyRow[] = [
  { row: resultRow({ variant: 'frozen', seed: 0 }), cells: { fall: 1.25, rise_then_fall: true } },
  { row: resultRow({ variant: 'frozen', seed: 1 }), cells: { fall: null, rise_then_fall: null } },
  { row: resultRow({ variant: 'pool', seed: 0 }), cells: { fall: 0, rise_then_fall: false } },
];
const points = [
  point(0, 2, -9),
  point(0, 0, -12),
  point(0, 1, -9),
  point(0, 3, -10.5),
  point(1, 0, NaN),
  point(1, 1, null),
];

describe('a curve', () => {
  it('peaks in the earliest of its best rounds, and never in one that is not a number', () => {
    const [first, second] = curvesOf(points).map(peakOf);
    expect(first).toMatchObject({ round: 1, heldoutReturn: -9 });
    expect(second).toBeNull();
  });

  it('is told run by run: where it was highest, where it ended, what was lost between', () => {
    const [, , first, second] = curveTable(points, rows).split('\n');
    expect(first).toBe('| `frozen` | 0 | -7.00 | -9.00 | 1 000 | -10.50 | 1.50 | 1.25 | yes |');
    expect(second).toBe('| `frozen` | 1 | -9.00 | – | – | – | – | – | – |');
  });

  it('falls in as many runs as their rows say, of those that say something', () => {
    expect(fallCounts(rows)).toEqual({ falls: 1, known: 2 });
  });

  it('is drawn as a line through the means and a band around all runs, for train and held-out', () => {
    const svg = curveFigure('Curve', points)!;
    expect(parseXml(svg).name).toBe('svg');
    const [train, heldout] = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, text]) => text!.split(' '));
    expect(train).toHaveLength(4);
    expect(heldout).toHaveLength(4);
    const heights = heldout!.map((each) => Number(each.split(',')[1]));
    // Down is more in pixels: the second round is the highest.
    expect(Math.min(...heights)).toBe(heights[1]);
    expect(count(svg, /class="(train|heldout) band"/g)).toBe(2);
  });
});
