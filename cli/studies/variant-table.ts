import type { ResultRow } from '../../infra/postgres/result-rows.ts';
import { mean } from '../../learning/moments.ts';
import { pairedDifference, type PairedDifference } from '../../learning/statistics/paired-difference.ts';
import { markdownTable } from '../markdown-table.ts';
import { countText, measureText } from '../quantity-text.ts';
import { metricValue } from '../result-columns.ts';
import { groupRows, summarize } from '../result-summary.ts';
import { intervalText, measuredText, randomReturn } from '../results-table.ts';
import type { StudyRow } from './read-results.ts';

/** The metric by which variants are compared. */
export const COMPARED = 'heldout_return';

/** The runs of a variant. */
export interface VariantRows {
  readonly variant: string;
  readonly rows: readonly ResultRow[];
  readonly cells: readonly StudyRow['cells'][];
}

/** Runs by variant, in the order of the spec. */
export function variantsOf(rows: readonly StudyRow[]): VariantRows[] {
  const cellsOf = new Map(rows.map(({ row, cells }) => [row, cells]));
  const groups = groupRows(
    rows.map(({ row }) => row),
    ({ variant }) => variant,
  );
  return [...groups].map(([variant, group]) => ({
    variant,
    rows: group,
    cells: group.map((row) => cellsOf.get(row)!),
  }));
}

/** By how much a variant's held-out return differs from the baseline's under the same seeds. */
export function differenceFrom(baseline: VariantRows, variant: VariantRows): PairedDifference {
  return pairedDifference(bySeed(variant), bySeed(baseline));
}

function bySeed({ rows }: VariantRows): Map<number, number> {
  return new Map(
    rows.flatMap((row) => {
      const value = metricValue(row, COMPARED);
      return value === null ? [] : [[row.seed, value] as const];
    }),
  );
}

/** The mean of a difference, with its interval where there is one. */
export function differenceText({ n, mean: value, interval }: PairedDifference): string {
  if (n === 0) return '–';
  const sign = value > 0 ? '+' : '';
  return `${sign}${measureText(value)}${interval === null ? '' : ` [${interval.map(measureText).join(', ')}]`}`;
}

/** Columns that only some experiments have a value for: they are left out where nobody has one, or all have 0. */
const OPTIONAL: readonly (readonly [key: string, title: string, text: (value: number) => string])[] = [
  ['specialist_regret', 'regret', measureText],
  ['training_env_steps', 'env steps of training', countText],
  ['scoring_env_steps', 'of scoring', countText],
  ['mining_env_steps', 'of mining', countText],
  ['evaluation_env_steps', 'of evaluation', countText],
];

/** A line for every variant. Returns are those of the last checkpoint. */
export function variantTable(rows: readonly StudyRow[], baselineName: string): string {
  const variants = variantsOf(rows);
  const baseline = variants.find(({ variant }) => variant === baselineName);
  const optional = OPTIONAL.filter(([key]) =>
    rows.some(({ cells }) => typeof cells[key] === 'number' && cells[key] !== 0),
  );
  const titles = ['train', 'held-out', 'worst', 'worst tenth', 'random', 'relative gap', `held-out − ${baselineName}`];
  const lines = variants.map((variant) => {
    const { rows: runs, cells } = variant;
    const meanText = (metric: string) => measureText(summarize(runs, metric).mean);
    return [
      `\`${variant.variant}\``,
      measuredText(runs),
      ...['train_return', COMPARED, 'worst_heldout', 'cvar_heldout'].map(meanText),
      measureText(randomReturn(runs)),
      `${meanText('relative_gap')}${intervalText(runs, 'relative_gap', ' ')}`,
      baseline === undefined || variant === baseline ? '–' : differenceText(differenceFrom(baseline, variant)),
      ...optional.map(([key, , text]) => meanOfCells(cells, key, text)),
    ];
  });
  return markdownTable(['variant', 'n', ...titles, ...optional.map(([, title]) => title)], lines);
}

function meanOfCells(cells: readonly StudyRow['cells'][], key: string, text: (value: number) => string): string {
  const values = cells.map((each) => each[key]).filter((value) => typeof value === 'number');
  return values.length === 0 ? '–' : text(mean(values));
}
