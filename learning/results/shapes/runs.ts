import { RESULT_COLUMNS } from '../result-columns.ts';
import { tableFrom } from '../table.ts';
import { sortedBy, type Shape } from './shape.ts';

/** One row a run: every column there is, of which people see a few until they choose. */
export const RUNS: Shape = {
  rowIs: 'a run',
  pinned: ['variant', 'seed'],
  takesManyMetrics: true,
  build: ({ rows, metrics, by, isForPeople }) => ({
    table: tableFrom(RESULT_COLUMNS, sortedBy(rows, by[0] ?? 'variant')),
    ...(isForPeople && { shown: ['variant', 'seed', 'state', ...metrics, 'verdict'] }),
    notes: [],
  }),
};
