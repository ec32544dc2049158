import { mean } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { summarize } from '../../learning/results/result-summary.ts';
import { intervalText, measuredText, randomReturn } from '../results/results-table.ts';
import { baselineDifferences, differencesCaption, differenceText } from './baseline-differences.ts';
import type { StudyRow } from './read-results.ts';
import { COMPARED, variantsOf } from './variant-rows.ts';

/** Columns that only some experiments have a value for: they are left out where nobody has one, or all have 0. */
const OPTIONAL: readonly (readonly [key: string, title: string, text: (value: number) => string])[] = [
  ['specialist_regret', 'regret', measureText],
  ['training_env_steps', 'env steps of training', countText],
  ['scoring_env_steps', 'of scoring', countText],
  ['mining_env_steps', 'of mining', countText],
  ['evaluation_env_steps', 'of evaluation', countText],
];

/** A line for every variant, and what the differences are. Returns are those of the last checkpoint. */
export function variantTable(rows: readonly StudyRow[], baselineName: string): string {
  const variants = variantsOf(rows);
  const baseline = variants.find(({ variant }) => variant === baselineName);
  const differences = baseline === undefined ? null : baselineDifferences(baseline, variants);
  const optional = OPTIONAL.filter(([key]) =>
    rows.some(({ cells }) => typeof cells[key] === 'number' && cells[key] !== 0),
  );
  const titles = ['train', 'held-out', 'worst', 'worst tenth', 'random', 'relative gap', `held-out − ${baselineName}`];
  const lines = variants.map((variant) => {
    const { rows: runs, cells } = variant;
    const difference = differences?.get(variant.variant);
    const meanText = (metric: string) => measureText(summarize(runs, metric).mean);
    return [
      `\`${variant.variant}\``,
      measuredText(runs),
      ...['train_return', COMPARED, 'worst_heldout', 'cvar_heldout'].map(meanText),
      measureText(randomReturn(runs)),
      `${meanText('relative_gap')}${intervalText(runs, 'relative_gap', ' ')}`,
      difference === undefined ? '–' : differenceText(difference),
      ...optional.map(([key, , text]) => meanOfCells(cells, key, text)),
    ];
  });
  const table = markdownTable(['variant', 'n', ...titles, ...optional.map(([, title]) => title)], lines);
  const caption = differences === null ? null : differencesCaption(baselineName, [...differences.values()]);
  return caption === null ? table : `${table}\n\n${caption}`;
}

function meanOfCells(cells: readonly StudyRow['cells'][], key: string, text: (value: number) => string): string {
  const values = cells.map((each) => each[key]).filter((value) => typeof value === 'number');
  return values.length === 0 ? '–' : text(mean(values));
}
