import type { CostPurpose, CostSums } from '../../learning/results/result-row.ts';
import type { Queryable } from './database.ts';

/** Env steps of one activity of a run. */
export interface Cost {
  readonly round: number;
  /** The kind of the attempt, or of a part of it whose costs are committed apart: the key has one cost a purpose. */
  readonly activity: string;
  readonly purpose: CostPurpose;
  readonly envSteps: number;
}

/**
 * Adds what an activity cost, within the transaction that commits its other rows. A cost that is there already stands:
 * an activity that is tried again costs once, so that a disturbed run costs what an undisturbed one does.
 */
export async function insertCosts(client: Queryable, runId: string, costs: readonly Cost[]): Promise<void> {
  for (const { round, activity, purpose, envSteps } of costs) {
    await client.query(
      `insert into costs (run_id, round, activity, purpose, env_steps) values ($1, $2, $3, $4, $5)
       on conflict (run_id, round, activity, purpose) do nothing`,
      [runId, round, activity, purpose, envSteps],
    );
  }
}

/**
 * Env steps by purpose of the runs of an experiment, by run; a SKIPPED run has those of the run it is equal to. They are summed run
 * by run (`offset 0` keeps the planner from joining the whole table, which took ten times as long).
 * @param runId to sum those of this run alone
 */
export async function sumCosts(
  client: Queryable,
  experimentId: string,
  runId: string | null = null,
): Promise<ReadonlyMap<string, CostSums>> {
  const { rows } = await client.query(
    `select r.id, c.* from runs r cross join lateral (
       select coalesce(sum(env_steps) filter (where purpose = 'training'), 0)::bigint as training,
              coalesce(sum(env_steps) filter (where purpose = 'scoring'), 0)::bigint as scoring,
              coalesce(sum(env_steps) filter (where purpose = 'mining'), 0)::bigint as mining,
              coalesce(sum(env_steps) filter (where purpose = 'evaluation'), 0)::bigint as evaluation
         from costs where run_id = coalesce(r.same_as, r.id) having count(*) > 0 offset 0) c
      where r.experiment_id = $1 and ($2::text is null or r.id = $2)`,
    [experimentId, runId],
  );
  return new Map(
    rows.map((row) => [
      row['id'] as string,
      {
        training: row['training'] as number,
        scoring: row['scoring'] as number,
        mining: row['mining'] as number,
        evaluation: row['evaluation'] as number,
      },
    ]),
  );
}
