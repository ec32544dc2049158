import type { Database } from '../../infra/postgres/database.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import {
  keepMirror,
  listMirroredRuns,
  type MirrorKey,
  postponeMirror,
  recordMirrored,
  releaseMirror,
} from '../../infra/postgres/mirror-rows.ts';
import type { MlflowServer } from '../../infra/trackers/mlflow-request.ts';
import { openExperiment } from '../../infra/trackers/mlflow.ts';
import { placeOf } from '../../infra/webhook.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import { mirrorRun } from './mirror-run.ts';

/** Runs that are told of before others get their turn. */
const RUNS_MAX = 50;

/** What telling needs of the world. */
export interface Telling {
  readonly database: Database;
  /** Names this worker. */
  readonly worker: string;
  /** How long a worker that says nothing keeps a tracker to itself; longer than `requestTimeoutMs`. */
  readonly leaseS: number;
  readonly requestTimeoutMs: number;
  /** What the server at a URL wants to see; null for nothing. */
  readonly authorization: (url: string) => string | null;
  readonly signal: AbortSignal;
}

/**
 * Tells a tracker, which this worker has claimed, what is new of an experiment, and lets go of it. That it does not take it is no
 * error: it is written down and tried again later.
 */
export async function mirrorExperiment(telling: Telling, key: MirrorKey): Promise<void> {
  const { database } = telling;
  const place = `${key.kind} at ${placeOf(key.url)}`;
  try {
    await tellAll(telling, key);
    await releaseMirror(database, key, place);
  } catch (error) {
    if (telling.signal.aborted || !isThawError(error)) throw error;
    if (error.code === 'WORLD_ATTEMPT_SUPERSEDED') return;
    if (error.code !== 'WORLD_TRACKER_UNAVAILABLE') throw error;
    await postponeMirror(database, key, { place, problem: error.message });
  }
}

async function tellAll(telling: Telling, key: MirrorKey): Promise<void> {
  const { database } = telling;
  const experiment = await findExperiment(database, key.experimentId);
  const server = serverOf(telling, key);
  const project = await openExperiment(server, key.project);
  for (const run of await listMirroredRuns(database, key, RUNS_MAX)) {
    const sentRound = await mirrorRun({ database, server, experiment, project }, run);
    await recordMirrored(database, key, { runId: run.runId, sentRound, toldState: run.state });
  }
}

function serverOf(telling: Telling, key: MirrorKey): MlflowServer {
  const { database, requestTimeoutMs: timeoutMs, authorization, signal } = telling;
  return {
    url: key.url,
    authorization: authorization(key.url),
    timeoutMs,
    signal,
    beforeRequest: async () => {
      if (await keepMirror(database, key, telling)) return;
      throw new ThawError('WORLD_ATTEMPT_SUPERSEDED', 'Another worker tells this tracker now.');
    },
  };
}
