import type { Database } from '../../infra/postgres/database.ts';
import { listChangedRuns, listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';

/** After this long all runs are asked for again, for what no change shows: runs that wait again, or are new. */
const WHOLE_EVERY_MS = 15_000;
/** A run has ended when its transaction began, and is seen when that commits. */
const COMMIT_MARGIN_MS = 60_000;

/** The runs of an experiment as somebody sees them who looks again and again: only what may have changed is asked for. */
export class RunView {
  private readonly database: Database;
  private readonly experimentId: string;
  private readonly runs = new Map<string, RunStatus>();
  private wholeAtMs = -Infinity;

  constructor(database: Database, experimentId: string) {
    this.database = database;
    this.experimentId = experimentId;
  }

  /** All runs in their order; one that waits may be shown as it was some seconds ago. */
  async look(): Promise<readonly RunStatus[]> {
    if (performance.now() - this.wholeAtMs > WHOLE_EVERY_MS) return this.lookAtAll();
    const known = [...this.runs.values()];
    const inHand = known.filter(({ state }) => state !== 'QUEUED' && !isFinalState(state)).map(({ id }) => id);
    const lastEndMs = known.reduce((last, { finishedAt }) => Math.max(last, finishedAt?.getTime() ?? 0), 0);
    const endedSince = new Date(lastEndMs - COMMIT_MARGIN_MS);
    return this.take(await listChangedRuns(this.database, this.experimentId, { inHand, endedSince }));
  }

  /** All runs as they are now. */
  async lookAtAll(): Promise<readonly RunStatus[]> {
    this.wholeAtMs = performance.now();
    return this.take(await listRuns(this.database, this.experimentId));
  }

  private take(changed: readonly RunStatus[]): readonly RunStatus[] {
    for (const run of changed) this.runs.set(run.id, run);
    return [...this.runs.values()];
  }
}
