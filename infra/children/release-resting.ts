import type { Logger } from '../log.ts';
import type { Database } from '../postgres/database.ts';
import { listResting } from '../postgres/stop-rows.ts';
import type { ChildPool } from './child-pool.ts';

const INTERVAL_MS = 1_000;

/**
 * Ends the idle processes of runs that somebody has killed, paused or closed: an activity hears of it with its heartbeat,
 * but between two activities of a run nobody does.
 * @returns ends the looking
 */
export function releaseResting(database: Database, children: ChildPool, log: Logger): () => void {
  let isLooking = false;
  const look = async (): Promise<void> => {
    const idle = children.idleRuns();
    if (isLooking || idle.length === 0) return;
    isLooking = true;
    try {
      for (const runId of await listResting(database, idle)) await children.release(runId);
    } catch (error) {
      log.debug({ err: error }, 'could not ask which runs need no process any more');
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), INTERVAL_MS);
  return () => clearInterval(timer);
}
