import { summarize } from '../../learning/results/result-summary.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';
import { intervalText } from '../results/results-table.ts';
import { baselineDifferences, differenceText } from './baseline-differences.ts';
import { curvesOf, fallCounts, peakOf } from './curve-table.ts';
import type { StudyRow } from './read-results.ts';
import type { StudyPart } from './study.ts';
import { COMPARED, variantsOf, type VariantRows } from './variant-rows.ts';

/** What came out of an experiment, in one or two sentences of numbers; null until it has been run. */
export function partSummary({ rows, baseline: baselineName, curvePoints }: StudyPart): string | null {
  if (rows === null) return null;
  const variants = variantsOf(rows).filter((variant) => heldoutOf(variant) !== null);
  const baseline = variants.find(({ variant }) => variant === baselineName);
  if (baseline === undefined) return null;
  const sentences = [gapSentence(baseline)];
  const best = variants.reduce((first, other) => (heldoutOf(other)! > heldoutOf(first)! ? other : first));
  if (best !== baseline) sentences.push(bestSentence(best, baseline, variants));
  else if (variants.length > 1) sentences.push('No other variant has a higher held-out return.');
  if (curvePoints !== null) sentences.push(fallSentence(curvesOf(curvePoints)), ...verdictSentence(rows));
  return sentences.join(' ');
}

/** Null where no run has one, and where some run's is not a number. */
function heldoutOf({ rows }: VariantRows): number | null {
  const { mean } = summarize(rows, COMPARED);
  return mean === null || Number.isNaN(mean) ? null : mean;
}

function gapSentence({ variant, rows }: VariantRows): string {
  const { mean } = summarize(rows, 'relative_gap');
  const heldout = `held-out return ${measureText(heldoutOf({ variant, rows, cells: [] }))}`;
  if (mean === null || Number.isNaN(mean)) return `\`${variant}\`: ${heldout}.`;
  return `\`${variant}\`: ${heldout}, relative gap ${measureText(mean)}${intervalText(rows, 'relative_gap', ' ')}.`;
}

/** The best is chosen among all variants, so that what is said of its difference has to allow for all of them. */
function bestSentence(best: VariantRows, baseline: VariantRows, variants: readonly VariantRows[]): string {
  const difference = baselineDifferences(baseline, variants).get(best.variant)!;
  const note = difference.correctedP === null ? '' : ' (p after Holm over all variants, the interval not corrected)';
  const heldout = measureText(heldoutOf(best));
  return `Highest held-out return: \`${best.variant}\` ${heldout}, ${differenceText(difference)} against \`${baseline.variant}\`${note}.`;
}

/** How far held-out returns ended below where they had been highest, run by run. */
function fallSentence(curves: ReturnType<typeof curvesOf>): string {
  const falls = curves.flatMap((curve) => {
    const peak = peakOf(curve)?.heldoutReturn ?? null;
    const last = curve.at(-1)!.heldoutReturn;
    return peak === null || last === null ? [] : [peak - last];
  });
  if (falls.length === 0) return 'No round was evaluated on held-out simulators.';
  const [least, most] = [Math.min(...falls), Math.max(...falls)].map(measureText);
  return `At their last round held-out returns are ${least} to ${most} below their highest evaluated round.`;
}

function verdictSentence(rows: readonly StudyRow[]): string[] {
  const { falls, known } = fallCounts(rows);
  return known === 0
    ? []
    : [`By the measure that allows for this choice, ${falls} of ${pluralText(known, 'run')} rose and then fell.`];
}
