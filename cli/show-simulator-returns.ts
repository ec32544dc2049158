import type { Column } from '../learning/results/column.ts';
import { findExperiment } from '../infra/postgres/experiment-rows.ts';
import { listSimulatorReturns, type SimulatorReturn } from '../infra/postgres/simulator-return-rows.ts';
import type { PanelName } from '../schemas/resolved-experiment.ts';
import { listingText, type ListingFormat } from './listing.ts';
import { countText, measureText } from '../web/documents/quantity-text.ts';
import { withDatabase } from './service-session.ts';
import { print } from './terminal.ts';

/** Columns of what a run got on one simulator. */
export const SIMULATOR_RETURN_COLUMNS: readonly Column<SimulatorReturn>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'panel', value: ({ panel }) => panel },
  { key: 'simulator', value: ({ simulator }) => simulator },
  { key: 'checkpoint', value: ({ checkpoint }) => checkpoint },
  { key: 'episodes', align: 'right', value: ({ episodes }) => episodes, text: ({ episodes }) => countText(episodes) },
  {
    key: 'return_mean',
    align: 'right',
    value: ({ returnMean }) => returnMean,
    text: ({ returnMean }) => measureText(returnMean),
  },
  {
    key: 'return_std',
    align: 'right',
    value: ({ returnStd }) => returnStd,
    text: ({ returnStd }) => measureText(returnStd),
  },
];

/** Prints what the last policies of an experiment got on every simulator of a panel, or of all where none is named. */
export async function showSimulatorReturns(id: string, panel: PanelName | null, format: ListingFormat): Promise<void> {
  await withDatabase(async (database) => {
    const experiment = await findExperiment(database, id);
    print(listingText(SIMULATOR_RETURN_COLUMNS, await listSimulatorReturns(database, experiment.id, panel), format));
  });
}
