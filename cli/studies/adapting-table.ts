import { mean } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { countText } from '../../web/documents/quantity-text.ts';
import type { StudyRow } from './read-results.ts';
import { variantsOf } from './variant-rows.ts';

const COLUMNS: readonly (readonly [key: string, title: string, text: (value: number) => string])[] = [
  ['scoring_env_steps', 'env steps of scoring', countText],
  ['mining_env_steps', 'of mining', countText],
  ['adapt_env_steps_share', 'share of env steps', shareText],
  ['adapt_wall_share', 'share of time', shareText],
];

/** What deciding on the pool took in the runs of every variant, and which share that is of all that they took: mean and most. */
export function adaptingTable(rows: readonly StudyRow[]): string {
  const lines = variantsOf(rows).map(({ variant, cells }) => [
    `\`${variant}\``,
    ...COLUMNS.flatMap(([key, , text]) => {
      const values = cells.map((each) => each[key]).filter((value) => typeof value === 'number');
      return values.length === 0 ? ['–', '–'] : [text(mean(values)), text(Math.max(...values))];
    }),
  ]);
  return markdownTable(['variant', ...COLUMNS.flatMap(([, title]) => [title, 'at most'])], lines);
}

function shareText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
