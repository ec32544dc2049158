import { mean } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import type { StudyCurve } from './read-results.ts';

const ROUNDS_MAX = 6;

const COLUMNS: readonly (readonly [title: string, value: (point: StudyCurve) => number | null])[] = [
  ['train', ({ trainReturn }) => trainReturn],
  ['held-out', ({ heldoutReturn }) => heldoutReturn],
  ['success', ({ trainSuccess }) => trainSuccess],
  ['zero variance', ({ zeroVarianceShare }) => zeroVarianceShare],
  ['entropy', ({ policyEntropy }) => policyEntropy],
  ['dwelling', ({ dwelling }) => dwelling],
  ['indifference', ({ indifference }) => indifference],
];

/** How signs went on the way: for every variant some of its evaluated rounds, the first and the last among them, means over runs. */
export function courseTable(points: readonly StudyCurve[]): string {
  const lines = [...groupRows(points, ({ variant }) => variant)].flatMap(([variant, own]) => {
    const rounds = [...groupRows(own, ({ round }) => round)].sort(([one], [other]) => one - other);
    return spaced(rounds, ROUNDS_MAX).map(([, runs]) => [
      `\`${variant}\``,
      countText(runs[0]!.envSteps),
      String(runs.length),
      ...COLUMNS.map(([, value]) => meanText(runs.map(value))),
    ]);
  });
  return markdownTable(['variant', 'env steps', 'n', ...COLUMNS.map(([title]) => title)], lines);
}

/** At most so many of the items, evenly spaced, the first and the last among them. */
function spaced<Item>(items: readonly Item[], countMax: number): Item[] {
  if (items.length <= countMax) return [...items];
  return Array.from(
    { length: countMax },
    (_, index) => items[Math.round((index * (items.length - 1)) / (countMax - 1))]!,
  );
}

/** Of the runs that measured it. */
function meanText(values: readonly (number | null | undefined)[]): string {
  const known = values.filter((value) => typeof value === 'number');
  return known.length === 0 ? '–' : measureText(mean(known));
}
