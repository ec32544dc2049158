import type { Column } from '../../learning/results/column.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listSensitivities, type RunSensitivity } from '../../infra/postgres/sensitivity-rows.ts';
import { arrangedListing, rowsWhere, type ListRequest } from './arrange-rows.ts';
import { sensitivityText } from './sensitivity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { print } from '../terminal/terminal.ts';

const SENSITIVITY_COLUMNS: readonly Column<RunSensitivity>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', value: ({ seed }) => seed },
  { key: 'kind', value: ({ kind }) => kind },
  { key: 'name', value: ({ name }) => name },
  { key: 'factor', value: ({ factor }) => factor },
  { key: 'episodes', value: ({ episodes }) => episodes },
  { key: 'return_mean', kind: 'measure', value: ({ returnMean }) => returnMean },
  { key: 'loss', kind: 'measure', value: ({ loss }) => loss },
  { key: 'is_cliff', value: ({ isCliff }) => isCliff },
];

const PINNED = ['variant', 'seed', 'kind', 'name', 'factor'];

/** Prints what the last policies of an experiment lose where a rule is scaled, or another partner is there. */
export async function showSensitivity(id: string, request: ListRequest): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    const rows = await listSensitivities(database, experiment.id);
    const isOverview = request.format === 'table' && request.sort.length + request.columns.length === 0;
    print(
      isOverview
        ? sensitivityText(experiment, rowsWhere(SENSITIVITY_COLUMNS, rows, request.where))
        : arrangedListing(SENSITIVITY_COLUMNS, rows, { ...request, pinned: PINNED }),
    );
  });
}
