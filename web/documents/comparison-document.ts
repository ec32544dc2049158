import {
  compareVariants,
  type ComparisonOptions,
  type PairComparison,
  type VariantScore,
} from '../../learning/results/comparison.ts';
import type { Interval } from '../../learning/statistics/bootstrap.ts';
import type { Comparison } from '../contract/results.ts';
import { comparisonWarnings, type Compared } from './comparison-warnings.ts';
import { comparisonWords } from './comparison-words.ts';

/** Statistics between variants as JSON for other programs. Numbers that JSON does not have are still numbers here. */
export function comparisonDocument(compared: Compared, metric: string, options: ComparisonOptions = {}): Comparison {
  const comparison = compareVariants(compared.rows, metric, options);
  const words = comparisonWords(comparison);
  return {
    metric,
    baseline: comparison.baseline,
    variants: comparison.variants.map(variantDocument),
    thresholds: [...comparison.thresholds] as Comparison['thresholds'],
    pairs: comparison.pairs.map((pair, index) => pairDocument(pair, words[index]!)),
    warnings: comparisonWarnings(compared, metric),
  };
}

function variantDocument(variant: VariantScore): Comparison['variants'][number] {
  const { name, n, nExpected, mean, median, iqm, iqmInterval, profile } = variant;
  return { name, n, n_expected: nExpected, mean, median, iqm, iqm_ci95: ends(iqmInterval), profile: [...profile] };
}

function pairDocument(pair: PairComparison, summary: string): Comparison['pairs'][number] {
  return {
    first: pair.first,
    second: pair.second,
    probability_of_improvement: pair.probability,
    probability_ci95: ends(pair.probabilityInterval),
    seeds: pair.seeds,
    difference: pair.difference,
    difference_ci95: ends(pair.differenceInterval),
    welch_p: pair.welchP,
    wilcoxon_p: pair.wilcoxonP,
    summary,
  };
}

function ends(interval: Interval | null): [number, number] | null {
  return interval === null ? null : [interval[0], interval[1]];
}
