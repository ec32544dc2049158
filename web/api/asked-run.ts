import type { Database } from '../../infra/postgres/database.ts';
import { findListedRun, type ListedRun } from '../../infra/postgres/run-list.ts';
import { ThawError } from '../../schemas/errors.ts';

/** The run that a path names. @throws REQUEST_UNKNOWN_ID */
export async function askedRun(database: Database, id: string): Promise<ListedRun> {
  const run = await findListedRun(database, id);
  if (run !== null) return run;
  throw new ThawError('REQUEST_UNKNOWN_ID', `No run is called "${id}".`, {
    remedy: 'A run is named EXPERIMENT/VARIANT/SEED, with / written as %2F in a path; GET /runs lists them.',
  });
}
