import type { Database } from '../postgres/database.ts';
import { insertExperimentEvent } from '../postgres/event-rows.ts';
import { listOpenExperiments } from '../postgres/run-rows.ts';
import type { Orchestrator } from './client.ts';

/**
 * Starts the workflow of every experiment that has open runs and no open workflow: the submission was cut off between
 * the rows and the start, or the server lost the workflow.
 * @returns ids of the experiments that were started again
 */
export async function reconcile(database: Database, orchestrator: Orchestrator): Promise<string[]> {
  const restarted: string[] = [];
  for (const experiment of await listOpenExperiments(database)) {
    if (await orchestrator.isExperimentOpen(experiment)) continue;
    await orchestrator.startExperiment(experiment);
    await insertExperimentEvent(database, experiment.id, 'reconciled', 'its workflow was gone and was started again');
    restarted.push(experiment.id);
  }
  return restarted;
}
