import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../postgres/database.ts';
import { insertExperimentEvent } from '../postgres/event-rows.ts';
import { listOpenExperiments } from '../postgres/run-rows.ts';
import type { Orchestrator } from './client.ts';

/** Between the rows and the start of a workflow, or the last row and its end, pass moments in which nothing is lost. */
const SECOND_LOOK_MS = 2_000;

type Experiments = readonly { readonly id: string }[];

/**
 * Starts the workflow of every experiment that has open runs and no open workflow: the submission was cut off between
 * the rows and the start, the server lost the workflow, or somebody closed it by hand. Its runs go on from their last
 * committed rounds.
 * @returns ids of the experiments that were started again
 */
export async function reconcile(
  database: Database,
  orchestrator: Orchestrator,
  { secondLookMs = SECOND_LOOK_MS }: { secondLookMs?: number } = {},
): Promise<string[]> {
  const abandoned = await withoutWorkflow(orchestrator, await listOpenExperiments(database));
  if (abandoned.length === 0) return [];
  await delay(secondLookMs);
  const seen = new Set(abandoned.map(({ id }) => id));
  const stillOpen = (await listOpenExperiments(database)).filter(({ id }) => seen.has(id));
  const restarted: string[] = [];
  for (const experiment of await withoutWorkflow(orchestrator, stillOpen)) {
    await orchestrator.startExperiment(experiment);
    await insertExperimentEvent(database, experiment.id, 'reconciled', 'its workflow was gone and was started again');
    restarted.push(experiment.id);
  }
  return restarted;
}

async function withoutWorkflow(orchestrator: Orchestrator, experiments: Experiments): Promise<Experiments> {
  const abandoned: { readonly id: string }[] = [];
  for (const experiment of experiments) {
    if (!(await orchestrator.isExperimentOpen(experiment))) abandoned.push(experiment);
  }
  return abandoned;
}
