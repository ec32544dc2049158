import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { markdownTable } from '../table-formats/markdown-table.ts';
import { summarize } from '../../learning/results/result-summary.ts';
import { measuredText } from '../results/results-table.ts';
import { spreadText } from '../table-formats/spread-text.ts';
import { curvesOf, fallCounts } from './curve-table.ts';
import type { StudyCurve, StudyRow, StudySensitivity } from './read-results.ts';
import { cliffCounts } from './sensitivity-table.ts';
import { variantsOf } from './variant-rows.ts';

const BEHAVIOUR = ['zero_variance_share', 'policy_entropy', 'dwelling', 'indifference'];

/** A line for every variant: each sign of its last checkpoint, as mean ± standard deviation over seeds or as a count of runs. */
export function signsTable(
  rows: readonly StudyRow[],
  points: readonly StudyCurve[],
  sensitivities: readonly StudySensitivity[],
): string {
  const lines = variantsOf(rows).map(({ variant, rows: runs, cells }) => {
    const isOwn = (row: { readonly variant: string }) => row.variant === variant;
    const { falls, known } = fallCounts(cells.map((each) => ({ cells: each })));
    const { found, judged } = cliffCounts(sensitivities.filter(isOwn));
    return [
      `\`${variant}\``,
      measuredText(runs),
      successText(points.filter(isOwn)),
      ...BEHAVIOUR.map((metric) => spreadText(summarize(runs, metric))),
      countOf(falls, known),
      countOf(found, judged),
    ];
  });
  const titles = ['success', 'zero variance', 'entropy', 'dwelling', 'indifference', 'rise then fall', 'cliff'];
  return markdownTable(['variant', 'n', ...titles], lines);
}

/** How often the training pool is mastered after the last round. */
function successText(points: readonly StudyCurve[]): string {
  const values = curvesOf(points)
    .map((curve) => curve.at(-1)!.trainSuccess ?? null)
    .filter((value) => value !== null);
  return values.length === 0 ? '–' : spreadText({ mean: mean(values), std: sampleStandardDeviation(values) });
}

function countOf(found: number, known: number): string {
  return known === 0 ? '–' : `${found} of ${known}`;
}
