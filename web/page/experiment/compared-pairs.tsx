import { intervalText, numberText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { ShownComparison } from './shown-comparison.ts';

type Pair = ShownComparison['pairs'][number];

/** Every variant against the baseline. */
export function ComparedPairs({ pairs }: { readonly pairs: readonly Pair[] }) {
  return (
    <Table
      caption="Pairs of variants"
      columns={COLUMNS}
      rows={pairs}
      rowKey={({ first, second }) => JSON.stringify([first, second])}
      empty="There is nothing to compare: the experiment has one variant."
    />
  );
}

const COLUMNS: readonly TableColumn<Pair>[] = [
  {
    key: 'pair',
    title: 'Pair',
    isPinned: true,
    isRowHeader: true,
    cell: ({ first, second }) => `${first} − ${second}`,
  },
  {
    key: 'probability',
    title: 'P(first has more)',
    isNumber: true,
    cell: ({ probability_of_improvement: probability, probability_ci95: interval }) => (
      <Measured value={probability} interval={interval} />
    ),
  },
  {
    key: 'difference',
    title: 'Difference by seed',
    isNumber: true,
    cell: ({ difference, difference_ci95: interval }) => <Measured value={difference} interval={interval} />,
  },
  { key: 'seeds', title: 'Seeds', about: 'That have a value in both', isNumber: true, cell: ({ seeds }) => seeds },
  { key: 'welch', title: 'p, Welch', isNumber: true, cell: ({ welch_p }) => numberText(welch_p) },
  { key: 'wilcoxon', title: 'p, Wilcoxon', isNumber: true, cell: ({ wilcoxon_p }) => numberText(wilcoxon_p) },
  { key: 'summary', title: 'In words', cell: ({ summary }) => <span class="wrap">{summary}</span> },
];

const Measured = ({
  value,
  interval,
}: {
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
}) => (
  <>
    {numberText(value)} {interval !== null && <small>{intervalText(interval)}</small>}
  </>
);
