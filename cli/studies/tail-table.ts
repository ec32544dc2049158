import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { spreadText } from '../table-formats/spread-text.ts';
import type { BySeed } from './baseline-differences.ts';
import type { StudyRow, StudySimulatorReturn } from './read-results.ts';
import { tailMeasures } from './tail-measures.ts';
import { variantsOf } from './variant-rows.ts';

/** A line for every variant that was measured, with its held-out returns and their tails: mean ± standard deviation over seeds. */
export function tailTable(rows: readonly StudyRow[], returns: readonly StudySimulatorReturn[]): string {
  const measures = tailMeasures(rows, returns);
  const measured = variantsOf(rows).filter(({ variant }) => measures.some(({ values }) => values.has(variant)));
  const lines = measured.map(({ variant }) => [
    `\`${variant}\``,
    ...measures.map(({ values }) => levelText(values.get(variant))),
  ]);
  return markdownTable(['variant', ...measures.map(({ title }) => title)], lines);
}

function levelText(bySeed: BySeed | undefined): string {
  if (bySeed === undefined) return '–';
  const values = [...bySeed.values()];
  return spreadText({ mean: mean(values), std: sampleStandardDeviation(values) });
}
