import type { Column } from '../../learning/results/column.ts';
import type { Comparison } from '../../web/contract/results.ts';
import type { JsonNumber } from '../../web/contract/numbers.ts';
import { estimateColumns, halfWidth } from './estimate-columns.ts';

type Variant = Comparison['variants'][number];
type Pair = Comparison['pairs'][number];

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
    ...estimateColumns<ComparedLine>({
      key: 'iqm',
      title: 'IQM',
      value: ({ variant }) => variant.iqm,
      ends: ({ variant }) => variant.iqm_ci95,
    }),
    ...estimateColumns<ComparedLine>({
      key: 'probability_of_improvement',
      title: `P(> ${baseline ?? 'baseline'})`,
      value: ({ pair }) => pair?.probability_of_improvement ?? null,
      ends: ({ pair }) => pair?.probability_ci95 ?? null,
    }),
    { key: 'seeds', title: 'pairs', ...COUNT, value: ({ pair }) => pair?.seeds ?? null },
    ...estimateColumns<ComparedLine>({
      key: 'difference',
      title: `− ${baseline ?? 'baseline'}`,
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
