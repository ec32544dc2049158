import type { Comparison, PairComparison, VariantScore } from '../../learning/results/comparison.ts';
import { METRIC_DIRECTIONS } from '../../learning/results/metric-directions.ts';
import { INTERVAL_VALUES_MIN, type Interval } from '../../learning/statistics/bootstrap.ts';
import { measureText, pluralText } from './quantity-text.ts';

/** With a corrected p-value of at most this, variants are said to differ. */
const LEVEL = 0.05;

/** Each pair of a comparison as one plain sentence, with its numbers and their n. */
export function comparisonWords(comparison: Comparison): string[] {
  return comparison.pairs.map((pair) => pairWords(comparison, pair));
}

/** One pair, and how many there are: a p-value is corrected for all of them. */
function pairWords({ metric, variants, pairs }: Comparison, pair: PairComparison): string {
  const [first, second] = [pair.first, pair.second].map((name) => variants.find((variant) => variant.name === name)!);
  const names = `${pair.first} and ${pair.second}`;
  const lacking = [first!, second!].filter(({ n }) => n === 0).map(({ name }) => name);
  if (lacking.length > 0)
    return `${names} cannot be compared: ${lacking.join(' and ')} ${lacking.length === 1 ? 'has' : 'have'} no ${metric}.`;
  const counts = countsText(first!, second!);
  if (Number.isNaN(pair.probability)) return `${names} cannot be compared: some ${metric} is NaN; ${counts}.`;
  const evidence = evidenceText(metric, pair, [first!, second!]);
  if (first!.n < INTERVAL_VALUES_MIN || second!.n < INTERVAL_VALUES_MIN) {
    return `Too few runs to tell ${names} apart, which takes ${INTERVAL_VALUES_MIN} of each: ${evidence}; ${counts}.`;
  }
  if (pair.welchP === null) {
    return `${names} do not scatter, or are infinite, so that no test tells them apart: ${evidence}; ${counts}.`;
  }
  const p = `p ${measureText(pair.welchP)} ${correctionText(pairs)}`;
  return pair.welchP <= LEVEL
    ? `${pair.first} ${verbText(metric, pair)} ${pair.second}: ${evidence}; ${p}; ${counts}.`
    : `Nothing shows that ${pair.first} differs from ${pair.second}: ${evidence}; ${p}; ${counts}.`;
}

function verbText(metric: string, pair: PairComparison): string {
  const direction = METRIC_DIRECTIONS[metric];
  if (direction === undefined) return isHigher(pair) ? 'has more than' : 'has less than';
  return isHigher(pair) === (direction === 'more') ? 'is better than' : 'is worse than';
}

/** By the means of all runs, which the test is about: those of the common seeds alone may say the opposite. */
function isHigher({ meanDifference }: PairComparison): boolean {
  return meanDifference! > 0;
}

function evidenceText(metric: string, pair: PairComparison, variants: readonly VariantScore[]): string {
  const chance = `a run of ${pair.first} has the higher one with probability ${measureText(pair.probability)}${intervalText(pair.probabilityInterval)}`;
  const [first, second] = variants.map(({ mean }) => measureText(mean));
  const means = `mean ${metric} ${first} against ${second}`;
  if (pair.difference === null) return `${means}, without a seed in common; ${chance}`;
  // Where some run has no partner, the common seeds do not tell all that the test has seen.
  const unpaired = variants.some(({ n }) => n > pair.seeds) ? `${means}; ` : '';
  return `${unpaired}${differenceText(metric, pair, pair.difference)}; ${chance}`;
}

function differenceText(metric: string, { seeds, differenceInterval }: PairComparison, difference: number): string {
  const where = `over ${pluralText(seeds, 'common seed')}`;
  if (difference === 0) return `${metric} is equal on the mean ${where}${intervalText(differenceInterval)}`;
  if (Number.isNaN(difference)) return `the difference of ${metric} ${where} is NaN`;
  const [size, range] = difference > 0 ? [difference, differenceInterval] : [-difference, reversed(differenceInterval)];
  return `${metric} ${difference > 0 ? 'higher' : 'lower'} by ${measureText(size)}${intervalText(range)} ${where}`;
}

function reversed(interval: Interval | null): Interval | null {
  return interval === null ? null : [-interval[1], -interval[0]];
}

function intervalText(interval: Interval | null): string {
  return interval === null ? '' : ` [${interval.map(measureText).join(', ')}]`;
}

function correctionText(pairs: readonly PairComparison[]): string {
  const tested = pairs.filter(({ welchP }) => welchP !== null).length;
  return tested === 1 ? "(Welch's test)" : `(Welch's test, after Holm for ${tested} pairs)`;
}

function countsText(first: VariantScore, second: VariantScore): string {
  return first.n === second.n ? `n ${pluralText(first.n, 'run')} each` : `n ${first.n} and ${second.n} runs`;
}
