import type { Column } from '../learning/results/column.ts';
import { listCurveRows, type CurveRow } from '../infra/postgres/curve-rows.ts';
import { findExperiment } from '../infra/postgres/experiment-rows.ts';
import { listingText, type ListingFormat } from './listing.ts';
import { countText, measureText } from '../web/documents/quantity-text.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';

type Return = 'trainReturn' | 'validationReturn' | 'heldoutReturn' | 'worstHeldout';

const returnColumn = (key: string, value: Return): Column<CurveRow> => ({
  key,
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

/** What tells how the policy behaves: for programs only, since a table would be too wide with it. */
const BEHAVIOUR_COLUMNS: readonly Column<CurveRow>[] = [
  { key: 'train_success', value: ({ trainSuccess }) => trainSuccess },
  { key: 'zero_variance_share', value: ({ zeroVarianceShare }) => zeroVarianceShare },
  { key: 'policy_entropy', value: ({ policyEntropy }) => policyEntropy },
  { key: 'dwelling', value: ({ dwelling }) => dwelling },
  { key: 'indifference', value: ({ indifference }) => indifference },
];

/** Prints the evaluated rounds of every run of an experiment: how returns went on the way. */
export async function showCurve(id: string, format: ListingFormat): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    const columns = format === 'table' ? CURVE_COLUMNS : [...CURVE_COLUMNS, ...BEHAVIOUR_COLUMNS];
    print(listingText(columns, await listCurveRows(database, experiment.id), format));
  });
}
