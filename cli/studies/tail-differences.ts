import { markdownTable } from '../table-formats/markdown-table.ts';
import { type BaselineDifference, correctedDifferences, differenceText } from './baseline-differences.ts';
import type { StudyRow, StudySimulatorReturn } from './read-results.ts';
import { type TailMeasure, tailMeasures } from './tail-measures.ts';

const CAPTION = [
  'Mean difference under the same seeds; in brackets its 95 % bootstrap interval, which is not corrected for comparing',
  'several variants; p of the exact sign-flip test of the same pairs, corrected after Holm for the variants of its column;',
  'in how many of the seeds the variant is higher.',
].join(' ');

/** By how much the held-out returns of variants, and their tails, differ from each of some baselines: a table for each. */
export function tailDifferences(
  rows: readonly StudyRow[],
  returns: readonly StudySimulatorReturn[],
  baselines: readonly string[],
): string {
  const measures = tailMeasures(rows, returns);
  return [...baselines.map((baseline) => tableAgainst(measures, baseline)), CAPTION].join('\n\n');
}

function tableAgainst(measures: readonly TailMeasure[], baseline: string): string {
  const known = measures.filter(({ values }) => values.has(baseline));
  if (known.length === 0) return `Against \`${baseline}\`: it has not been run.`;
  const columns = known.map(({ values }) => differencesBy(values, baseline));
  const variants = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const lines = variants.map((variant) => [
    `\`${variant}\``,
    ...columns.map((column) => winsText(column.get(variant))),
  ]);
  return `Against \`${baseline}\`:\n\n${markdownTable(['variant', ...known.map(({ title }) => title)], lines)}`;
}

function differencesBy(values: TailMeasure['values'], baseline: string): Map<string, BaselineDifference> {
  const others = [...values].filter(([variant]) => variant !== baseline);
  const differences = correctedDifferences(
    values.get(baseline)!,
    others.map(([, bySeed]) => bySeed),
  );
  return new Map(others.map(([variant], index) => [variant, differences[index]!]));
}

function winsText(difference: BaselineDifference | undefined): string {
  if (difference === undefined || difference.n === 0) return '–';
  return `${differenceText(difference)}, ${difference.wins}/${difference.n}`;
}
