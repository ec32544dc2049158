import { extentOf, type Extent } from '../parts/heat.ts';
import { intervalText, metricText, numberText } from '../parts/number-text.ts';
import { Table, type TableColumn } from '../parts/table.tsx';
import type { ShownComparison } from './shown-comparison.ts';

type Variant = ShownComparison['variants'][number];

/** The variants with their interquartile means, as numbers and side by side on one scale. */
export function ComparedVariants({
  metric,
  variants,
}: {
  readonly metric: string;
  readonly variants: readonly Variant[];
}) {
  const extent = extentOf(variants.flatMap(({ iqm, iqm_ci95: interval }) => [iqm, ...(interval ?? [])]));
  const columns: TableColumn<Variant>[] = [
    { key: 'name', title: 'Variant', isPinned: true, isRowHeader: true, cell: ({ name }) => name },
    { key: 'n', title: 'n', isNumber: true, cell: ({ n, n_expected }) => `${n} of ${n_expected}` },
    { key: 'iqm', title: 'IQM', isNumber: true, cell: ({ iqm }) => numberText(iqm) },
    { key: 'interval', title: '95 % interval', isNumber: true, cell: ({ iqm_ci95 }) => intervalText(iqm_ci95) },
    {
      key: 'dots',
      title: extent === null ? '' : <ScaleTitle extent={extent} />,
      cell: (variant) => <Interval variant={variant} extent={extent} />,
    },
    { key: 'mean', title: 'Mean', isNumber: true, cell: ({ mean }) => numberText(mean) },
    { key: 'median', title: 'Median', isNumber: true, cell: ({ median }) => numberText(median) },
  ];
  return (
    <Table caption={`${metricText(metric)} by variant`} columns={columns} rows={variants} rowKey={({ name }) => name} />
  );
}

const ScaleTitle = ({ extent }: { readonly extent: Extent }) => (
  <span class="scale-title">
    <span>{numberText(extent.low)}</span> <span>{numberText(extent.high)}</span>
  </span>
);

/** A dot with its interval. The numbers stand beside it. */
function Interval({ variant, extent }: { readonly variant: Variant; readonly extent: Extent | null }) {
  const { iqm, iqm_ci95: interval } = variant;
  if (extent === null || iqm === null || !Number.isFinite(iqm)) return null;
  const place = (value: number) => 4 + (192 * (value - extent.low)) / (extent.high - extent.low || 1);
  return (
    <svg class="interval" width="200" height="14" aria-hidden="true">
      <line class="interval-scale" x1="4" y1="7" x2="196" y2="7" />
      {interval !== null && (
        <line class="interval-line" x1={place(interval[0])} y1="7" x2={place(interval[1])} y2="7" />
      )}
      <circle cx={place(iqm)} cy="7" r="4" />
    </svg>
  );
}
