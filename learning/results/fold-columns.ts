import type { Column } from './column.ts';
import type { MetricFold } from './metric-fold.ts';

const MEASURE = { kind: 'measure', align: 'right', spread: ({ std }: MetricFold) => std } as const;
const COUNT = { kind: 'count', align: 'right' } as const;

/** What a fold is, after the columns that say of what it is one. People read mean and deviation together, and an interval. */
export const FOLD_COLUMNS: readonly Column<MetricFold>[] = [
  { key: 'n', ...COUNT, joins: { as: 'share', keys: ['n_expected'] }, value: ({ n }) => n },
  { key: 'n_expected', ...COUNT, value: ({ nExpected }) => nExpected },
  { key: 'mean', ...MEASURE, joins: { as: 'spread', keys: ['std'], title: 'mean ± std' }, value: ({ mean }) => mean },
  { key: 'std', ...MEASURE, value: ({ std }) => std },
  { key: 'iqm', title: 'IQM', ...MEASURE, value: ({ iqm }) => iqm },
  { key: 'median', ...MEASURE, value: ({ median }) => median },
  {
    key: 'ci95_low',
    ...MEASURE,
    joins: { as: 'interval', keys: ['ci95_high'], title: '95 % interval of the mean' },
    value: ({ interval }) => interval?.[0] ?? null,
  },
  { key: 'ci95_high', ...MEASURE, value: ({ interval }) => interval?.[1] ?? null },
];
