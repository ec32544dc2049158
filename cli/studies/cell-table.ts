import type { ResultRow } from '../../learning/results/result-row.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { countText, durationText, measureText } from '../../web/documents/quantity-text.ts';
import { metricValue } from '../../learning/results/result-columns.ts';
import { summarize } from '../../learning/results/result-summary.ts';
import type { StudyRow } from './read-results.ts';
import { COMPARED, variantsOf } from './variant-rows.ts';

/** Every run in its cell: variants down, seeds across, with the run's state where it has no value. */
export function cellTable(rows: readonly StudyRow[]): string {
  const seeds = [...new Set(rows.map(({ row }) => row.seed))].sort((a, b) => a - b);
  const lines = variantsOf(rows).map(({ variant, rows: runs }) => [
    `\`${variant}\``,
    ...seeds.map((seed) => cellText(runs.find((row) => row.seed === seed))),
  ]);
  return markdownTable(['variant', ...seeds.map((seed) => `seed ${seed}`)], lines);
}

function cellText(row: ResultRow | undefined): string {
  if (row === undefined) return '–';
  const value = metricValue(row, COMPARED);
  return value === null ? row.state : measureText(value);
}

const COSTS: readonly (readonly [metric: string, title: string, text: (value: number) => string])[] = [
  ['wall_s', 'time of training', durationText],
  ['peak_rss_mib', 'peak memory', (value) => `${countText(value)} MiB`],
  ['attempts', 'attempts', measureText],
];

/** What the runs of every variant took: mean and most. */
export function costTable(rows: readonly StudyRow[]): string {
  const columns = COSTS.flatMap(([, title]) => [title, 'at most']);
  const lines = variantsOf(rows).map(({ variant, rows: runs }) => [
    `\`${variant}\``,
    ...COSTS.flatMap(([metric, , text]) => {
      const values = runs.map((row) => metricValue(row, metric)).filter((value) => value !== null);
      const { mean } = summarize(runs, metric);
      return mean === null ? ['–', '–'] : [text(mean), text(Math.max(...values))];
    }),
  ]);
  return markdownTable(['variant', ...columns], lines);
}
