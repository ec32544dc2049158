import type { RunState } from '../../schemas/records.ts';
import type { Database } from './database.ts';
import { insertExperimentEvent } from './event-rows.ts';

export interface Requeue {
  readonly experimentId: string;
  /** One run; all of them when absent. */
  readonly runId?: string | undefined;
  /** States in which no attempt of a run is under way. */
  readonly states: readonly RunState[];
  /** Whether runs that were made smaller begin at their full size again. */
  readonly resetsShrinks: boolean;
  /** Whether a pause of the experiment ends with it. */
  readonly endsPause: boolean;
}

/**
 * Queues runs again that nobody works on; while their experiment is paused they are PAUSED instead.
 * @returns how many by the state they were in, and whether a pause has ended
 */
export async function requeueRuns(
  database: Database,
  { experimentId, runId, states, resetsShrinks, endsPause }: Requeue,
): Promise<{ counts: Partial<Record<RunState, number>>; hasEndedPause: boolean }> {
  return database.transaction(async (client) => {
    // The experiment's row first, as everybody does who stops its runs.
    const held = await client.query('select paused_at from experiments where id = $1 for update', [experimentId]);
    const wasPaused = held.rows[0]?.['paused_at'] !== null;
    if (endsPause) await client.query('update experiments set paused_at = null where id = $1', [experimentId]);
    const { rows } = await client.query(
      `update runs r
          set state = case when $5 then 'PAUSED' else 'QUEUED' end, reason = null, finished_at = null,
              shrinks = case when $4 then 0 else shrinks end
         from (select id, state from runs
                where experiment_id = $1 and ($2::text is null or id = $2) and state = any($3) for update) before
        where r.id = before.id returning before.state`,
      [experimentId, runId ?? null, states, resetsShrinks, wasPaused && !endsPause],
    );
    const counts: Partial<Record<RunState, number>> = {};
    for (const row of rows) {
      const state = row['state'] as RunState;
      counts[state] = (counts[state] ?? 0) + 1;
    }
    const hasEndedPause = wasPaused && endsPause;
    if (rows.length > 0 || hasEndedPause) {
      const which = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
      await insertExperimentEvent(
        client,
        experimentId,
        'requeued',
        `by request: ${which.join(', ') || 'the pause is over'}`,
      );
    }
    return { counts, hasEndedPause };
  });
}
