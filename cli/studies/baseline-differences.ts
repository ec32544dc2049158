import { holm } from '../../learning/statistics/holm.ts';
import { pairedDifference, type PairedDifference } from '../../learning/statistics/paired-difference.ts';
import { measureText } from '../quantity-text.ts';
import { metricValue } from '../result-columns.ts';
import { COMPARED, type VariantRows } from './variant-rows.ts';

/** By how much the held-out return of a variant differs from the baseline's. */
export interface BaselineDifference extends PairedDifference {
  /** The p-value corrected for all variants that are compared; null where the difference has none. */
  readonly correctedP: number | null;
}

/** The differences of all variants but the baseline from it, by variant, each under the seeds that both have. */
export function baselineDifferences(
  baseline: VariantRows,
  variants: readonly VariantRows[],
): Map<string, BaselineDifference> {
  const others = variants.filter(({ variant }) => variant !== baseline.variant);
  const differences = others.map((variant) => pairedDifference(bySeed(variant), bySeed(baseline)));
  const corrected = holm(differences.flatMap(({ pValue }) => (pValue === null ? [] : [pValue])));
  let next = 0;
  return new Map(
    others.map(({ variant }, index) => {
      const difference = differences[index]!;
      return [variant, { ...difference, correctedP: difference.pValue === null ? null : corrected[next++]! }];
    }),
  );
}

function bySeed({ rows }: VariantRows): Map<number, number> {
  return new Map(
    rows.flatMap((row) => {
      const value = metricValue(row, COMPARED);
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
