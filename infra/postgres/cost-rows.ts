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

/** Env steps by purpose of the runs of an experiment, by run; a SKIPPED run has those of the run it is equal to. */
export async function sumCosts(client: Queryable, experimentId: string): Promise<ReadonlyMap<string, CostSums>> {
  const { rows } = await client.query(
    `select r.id, c.purpose, sum(c.env_steps)::bigint as env_steps
       from runs r join costs c on c.run_id = coalesce(r.same_as, r.id)
      where r.experiment_id = $1 group by r.id, c.purpose`,
    [experimentId],
  );
  const sums = new Map<string, Record<CostPurpose, number>>();
  for (const row of rows) {
    const id = row['id'] as string;
    const sum = sums.get(id) ?? { training: 0, scoring: 0, mining: 0, evaluation: 0 };
    sum[row['purpose'] as CostPurpose] = row['env_steps'] as number;
    sums.set(id, sum);
  }
  return sums;
}
