import type { Column } from '../../learning/results/column.ts';
import { listCurveRows, type CurveRow } from '../../infra/postgres/curve-rows.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { arrangedListing, type ListRequest } from './arrange-rows.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { isForPeople } from '../table-formats/index.ts';
import { print } from '../terminal/terminal.ts';

type Return = 'trainReturn' | 'validationReturn' | 'heldoutReturn' | 'worstHeldout';

const returnColumn = (key: string, value: Return): Column<CurveRow> => ({
  key,
  kind: 'measure',
  align: 'right',
  value: (row) => row[value],
  text: (row) => measureText(row[value]),
});

const CURVE_COLUMNS: readonly Column<CurveRow>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'round', align: 'right', value: ({ round }) => round },
  { key: 'env_steps', align: 'right', value: ({ envSteps }) => envSteps, text: ({ envSteps }) => countText(envSteps) },
  returnColumn('train_return', 'trainReturn'),
  returnColumn('validation_return', 'validationReturn'),
  returnColumn('heldout_return', 'heldoutReturn'),
  returnColumn('worst_heldout', 'worstHeldout'),
];

const MEASURE = { kind: 'measure', align: 'right' } as const;

/** What tells how the policy behaves: for programs, and people who ask for it, since a table would be too wide with it. */
const BEHAVIOUR_COLUMNS: readonly Column<CurveRow>[] = [
  { key: 'train_success', ...MEASURE, value: ({ trainSuccess }) => trainSuccess },
  { key: 'zero_variance_share', ...MEASURE, value: ({ zeroVarianceShare }) => zeroVarianceShare },
  { key: 'policy_entropy', ...MEASURE, value: ({ policyEntropy }) => policyEntropy },
  { key: 'dwelling', ...MEASURE, value: ({ dwelling }) => dwelling },
  { key: 'indifference', ...MEASURE, value: ({ indifference }) => indifference },
];

const COLUMNS = [...CURVE_COLUMNS, ...BEHAVIOUR_COLUMNS];

/** Prints the evaluated rounds of every run of an experiment: how returns went on the way. */
export async function showCurve(id: string, request: ListRequest): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    const shown = isForPeople(request.format) ? CURVE_COLUMNS.map(({ key }) => key) : undefined;
    const pinned = ['variant', 'seed', 'round'];
    print(arrangedListing(COLUMNS, await listCurveRows(database, experiment.id), { ...request, pinned, shown }));
  });
}
