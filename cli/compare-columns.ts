import type { Column } from '../learning/results/column.ts';
import type { Comparison } from '../web/contract/results.ts';
import type { JsonNumber } from '../web/contract/numbers.ts';

type Variant = Comparison['variants'][number];
type Pair = Comparison['pairs'][number];
type Ends = readonly [JsonNumber, JsonNumber] | null;

/** A variant, and what it is beside the baseline; null for the baseline itself. */
export interface ComparedLine {
  readonly variant: Variant;
  readonly pair: Pair | null;
}

/** The lines of a comparison, in the order of its variants. */
export function comparedLines({ variants, pairs }: Comparison): ComparedLine[] {
  return variants.map((variant) => ({ variant, pair: pairs.find(({ first }) => first === variant.name) ?? null }));
}

const MEASURE = { kind: 'measure', align: 'right' } as const;
const COUNT = { kind: 'count', align: 'right' } as const;

/** A column with its 95 % interval, which programs get as two columns of their own. */
function estimate(
  key: string,
  title: string,
  of: { value: (line: ComparedLine) => JsonNumber | null; ends: (line: ComparedLine) => Ends },
): Column<ComparedLine>[] {
  const [low, high] = [`${key}_ci95_low`, `${key}_ci95_high`];
  const spread = (line: ComparedLine) => halfWidth(of.ends(line));
  return [
    { key, title, ...MEASURE, spread, joins: { as: 'estimate', keys: [low, high], title }, value: of.value },
    { key: low, ...MEASURE, spread, isPart: true, value: (line) => of.ends(line)?.[0] ?? null },
    { key: high, ...MEASURE, spread, isPart: true, value: (line) => of.ends(line)?.[1] ?? null },
  ];
}

/** How far a value may be off, which says how many of its digits mean something. */
function halfWidth(ends: Ends): number | null {
  return ends === null ? null : (Number(ends[1]) - Number(ends[0])) / 2;
}

/** A p-value is as exact as it is small. */
function pValue(key: string, title: string, of: (pair: Pair) => number | null): Column<ComparedLine> {
  const value = ({ pair }: ComparedLine) => (pair === null ? null : of(pair));
  return { key, title, ...MEASURE, spread: value, value };
}

/** What is compared of the variants: each for itself, then beside the baseline. */
export function compareColumns(baseline: string | null): readonly Column<ComparedLine>[] {
  return [
    { key: 'variant', value: ({ variant }) => variant.name },
    { key: 'n', ...COUNT, joins: { as: 'share', keys: ['n_expected'] }, value: ({ variant }) => variant.n },
    { key: 'n_expected', ...COUNT, isPart: true, value: ({ variant }) => variant.n_expected },
    {
      key: 'mean',
      ...MEASURE,
      spread: ({ variant }) => halfWidth(variant.iqm_ci95),
      value: ({ variant }) => variant.mean,
    },
    {
      key: 'median',
      ...MEASURE,
      spread: ({ variant }) => halfWidth(variant.iqm_ci95),
      value: ({ variant }) => variant.median,
    },
    ...estimate('iqm', 'IQM', { value: ({ variant }) => variant.iqm, ends: ({ variant }) => variant.iqm_ci95 }),
    ...estimate('probability_of_improvement', `P(> ${baseline ?? 'baseline'})`, {
      value: ({ pair }) => pair?.probability_of_improvement ?? null,
      ends: ({ pair }) => pair?.probability_ci95 ?? null,
    }),
    { key: 'seeds', title: 'pairs', ...COUNT, value: ({ pair }) => pair?.seeds ?? null },
    ...estimate('difference', `− ${baseline ?? 'baseline'}`, {
      value: ({ pair }) => pair?.difference ?? null,
      ends: ({ pair }) => pair?.difference_ci95 ?? null,
    }),
    pValue('welch_p', 'p Welch', (pair) => pair.welch_p),
    pValue('wilcoxon_p', 'p Wilcoxon', (pair) => pair.wilcoxon_p),
  ];
}

/** A threshold, and the share of the runs of each variant that are above it. */
export interface ProfileLine {
  readonly threshold: JsonNumber;
  readonly shares: readonly (JsonNumber | null)[];
}

/** Performance profiles as lines; a variant without a value has no share. */
export function profileLines({ thresholds, variants }: Comparison): ProfileLine[] {
  return thresholds.map((threshold, index) => ({
    threshold,
    shares: variants.map(({ profile }) => profile[index] ?? null),
  }));
}

/** A column a variant. */
export function profileColumns({ metric, variants }: Comparison): readonly Column<ProfileLine>[] {
  return [
    { key: metric, title: `${metric} >`, ...MEASURE, value: ({ threshold }) => threshold },
    ...variants.map(({ name }, index): Column<ProfileLine> => ({
      key: name,
      ...MEASURE,
      // A share of a few runs has no more than two digits that mean something.
      spread: () => 0.1,
      value: ({ shares }) => shares[index]!,
    })),
  ];
}
