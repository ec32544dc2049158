import type { Database } from './database.ts';

/** A run's policy after so many completed rounds, evaluated on the way. What is not measured is null. */
export interface CurveRow {
  readonly variant: string;
  readonly seed: number;
  /** Completed rounds; 0 is the policy that nothing has been learnt by. */
  readonly round: number;
  /** Env steps of training so far. */
  readonly envSteps: number;
  readonly trainReturn: number | null;
  readonly validationReturn: number | null;
  readonly heldoutReturn: number | null;
  readonly worstHeldout: number | null;
  /** Share of its episodes on the training pool that were a success, by the weights of the pool, in [0, 1]. */
  readonly trainSuccess: number | null;
  readonly zeroVarianceShare: number | null;
  readonly policyEntropy: number | null;
  readonly dwelling: number | null;
  readonly indifference: number | null;
}

/** Every evaluated round of every run of an experiment; a SKIPPED run shows those of the equal run finished before. */
export async function listCurveRows(database: Database, experimentId: string): Promise<CurveRow[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, c.round, coalesce(t.env_steps, 0) as env_steps,
            c.train_return, c.validation_return, c.heldout_return, c.worst_heldout, e.train_success,
            c.zero_variance_share, c.policy_entropy, c.dwelling, c.indifference
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join checkpoint_scores c on c.run_id = r.source_id and c.checkpoint = 'round'
       left join rounds t on t.run_id = c.run_id and t.round = c.round
       left join lateral (
         select sum(weight * success_rate order by position) / sum(weight order by position) as train_success
           from evaluations
          where run_id = c.run_id and round = c.round and checkpoint = c.checkpoint and panel = 'train') e on true
      order by r.position, c.round`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    round: row['round'] as number,
    envSteps: row['env_steps'] as number,
    trainReturn: row['train_return'] as number | null,
    validationReturn: row['validation_return'] as number | null,
    heldoutReturn: row['heldout_return'] as number | null,
    worstHeldout: row['worst_heldout'] as number | null,
    trainSuccess: row['train_success'] as number | null,
    zeroVarianceShare: row['zero_variance_share'] as number | null,
    policyEntropy: row['policy_entropy'] as number | null,
    dwelling: row['dwelling'] as number | null,
    indifference: row['indifference'] as number | null,
  }));
}
