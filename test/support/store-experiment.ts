import type { Database } from '../../infra/postgres/database.ts';
import { insertExperiment } from '../../infra/postgres/experiment-rows.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/** Stores an experiment under an id of the test's choice. */
export async function storeExperiment(database: Database, id: string, resolved: ResolvedExperiment): Promise<void> {
  await insertExperiment(database, {
    id,
    identityHash: id,
    document: {},
    resolved,
    panelSimulators: panelSimulatorsByVariant(resolved.variants, DEFAULT_REGISTRIES),
    sourceFile: `${id}.json`,
    programVersion: '0',
  });
}
