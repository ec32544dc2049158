import type { Database } from '../../infra/postgres/database.ts';
import { listRecentAttempts } from '../../infra/postgres/recent-attempts.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { progressOf, type Progress, type RunProgress } from '../../specification/progress.ts';

/** How far an experiment is, with the time left. @param runs all of its runs in the order in which they are started */
export async function loadProgress<Run extends RunProgress>(
  database: Database,
  { id, resolved }: { readonly id: string; readonly resolved: ResolvedExperiment },
  runs: readonly Run[],
): Promise<Progress<Run>> {
  return progressOf({ resolved, runs, ...(await listRecentAttempts(database, id)) });
}
