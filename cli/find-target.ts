import type { Database } from '../infra/postgres/database.ts';
import { findExperiment, runId, type ExperimentRecord } from '../infra/postgres/experiment-rows.ts';
import { listRuns, type RunStatus } from '../infra/postgres/run-rows.ts';
import { ThawError } from '../schemas/errors.ts';

/** What an id names: an experiment, or one run of it. */
export interface Target {
  readonly experiment: ExperimentRecord;
  readonly runs: readonly RunStatus[];
  /** The run named, if one is. */
  readonly run: RunStatus | undefined;
}

/**
 * Finds an experiment by its id, a unique prefix or `@latest`, or a run as EXPERIMENT/VARIANT/SEED.
 * @throws REQUEST_UNKNOWN_ID
 */
export async function findTarget(database: Database, text: string): Promise<Target> {
  const [experimentText = '', variant, seed] = text.split('/');
  const experiment = await findExperiment(database, experimentText);
  const runs = await listRuns(database, experiment.id);
  if (variant === undefined) return { experiment, runs, run: undefined };
  const id = runId(experiment.id, variant, Number(seed));
  const run = runs.find((each) => each.id === id);
  if (run !== undefined) return { experiment, runs, run };
  const variants = Object.keys(experiment.resolved.variants).join(', ');
  throw new ThawError(
    'REQUEST_UNKNOWN_ID',
    `${experiment.id} has no run "${text}". Variants: ${variants}; seeds: ${experiment.resolved.seeds.join(', ')}.`,
    { remedy: 'A run is named EXPERIMENT/VARIANT/SEED; `thaw get EXPERIMENT` lists them.' },
  );
}
