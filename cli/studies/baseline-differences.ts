import { holm } from '../../learning/statistics/holm.ts';
import { pairedDifference, type PairedDifference } from '../../learning/statistics/paired-difference.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import { metricValue } from '../../learning/results/result-columns.ts';
import { COMPARED, type VariantRows } from './variant-rows.ts';

/** A value of every seed that has one. */
export type BySeed = ReadonlyMap<number, number>;

/** By how much a variant differs from the baseline. */
export interface BaselineDifference extends PairedDifference {
  /** Pairs of which the variant's value is the larger. */
  readonly wins: number;
  /** The p-value corrected for all variants that are compared; null where the difference has none. */
  readonly correctedP: number | null;
}

/** The differences of held-out returns of all variants but the baseline from it, by variant. */
export function baselineDifferences(
  baseline: VariantRows,
  variants: readonly VariantRows[],
): Map<string, BaselineDifference> {
  const others = variants.filter(({ variant }) => variant !== baseline.variant);
  const differences = correctedDifferences(comparedBySeed(baseline), others.map(comparedBySeed));
  return new Map(others.map(({ variant }, index) => [variant, differences[index]!]));
}

/** The differences of several variants from one, each under the seeds that both have, in the order of the variants. */
export function correctedDifferences(baseline: BySeed, others: readonly BySeed[]): BaselineDifference[] {
  const differences = others.map((other) => pairedDifference(other, baseline));
  const corrected = holm(differences.flatMap(({ pValue }) => (pValue === null ? [] : [pValue])));
  let next = 0;
  return differences.map((difference, index) => ({
    ...difference,
    wins: [...others[index]!].filter(([seed, value]) => baseline.has(seed) && value > baseline.get(seed)!).length,
    correctedP: difference.pValue === null ? null : corrected[next++]!,
  }));
}

function comparedBySeed(variant: VariantRows): BySeed {
  return valuesBySeed(variant, COMPARED);
}

/** What the runs of a variant have of a metric. */
export function valuesBySeed({ rows }: VariantRows, metric: string): BySeed {
  return new Map(
    rows.flatMap((row) => {
      const value = metricValue(row, metric);
      return value === null ? [] : [[row.seed, value] as const];
    }),
  );
}

/** The mean of a difference, with its interval and its p-value where there are some. */
export function differenceText({ n, mean: value, interval, correctedP }: BaselineDifference): string {
  if (n === 0) return '–';
  const sign = value > 0 ? '+' : '';
  const range = interval === null ? '' : ` [${interval.map(measureText).join(', ')}]`;
  return `${sign}${measureText(value)}${range}${correctedP === null ? '' : `, p ${measureText(correctedP)}`}`;
}

/** What intervals and p-values of the differences are; null where no difference has any. */
export function differencesCaption(baseline: string, differences: readonly BaselineDifference[]): string | null {
  if (differences.every(({ interval }) => interval === null)) return null;
  const compared = differences.filter(({ correctedP }) => correctedP !== null).length;
  return [
    `held-out − ${baseline}: mean difference under the same seeds. In brackets its 95 % bootstrap interval, which is not`,
    'corrected for comparing several variants; p is that of the exact sign-flip test of the same pairs, corrected after Holm',
    `for the ${compared} that are compared.`,
  ].join(' ');
}
