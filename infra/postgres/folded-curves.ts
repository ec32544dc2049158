import type { Database } from './database.ts';

/** What the runs of a variant had after so many rounds, run by run in the order of their seeds; null where not measured. */
export interface FoldedRound {
  readonly variant: string;
  /** Completed rounds. */
  readonly round: number;
  /** Env steps of training so far, of whichever run took most. */
  readonly envSteps: number;
  readonly trainReturns: readonly (number | null)[];
  readonly validationReturns: readonly (number | null)[];
  readonly heldoutReturns: readonly (number | null)[];
  readonly worstHeldouts: readonly (number | null)[];
}

/**
 * The evaluated rounds of an experiment, its seeds side by side, variant by variant in the order of the spec. They come
 * folded, because a row for every run and round is a hundred thousand of them where there are ten thousand runs.
 */
export async function listFoldedRounds(database: Database, experimentId: string): Promise<FoldedRound[]> {
  const { rows } = await database.query(
    `select r.variant, c.round, coalesce(max(t.env_steps), 0) as env_steps,
            array_agg(c.train_return order by r.seed) as train_returns,
            array_agg(c.validation_return order by r.seed) as validation_returns,
            array_agg(c.heldout_return order by r.seed) as heldout_returns,
            array_agg(c.worst_heldout order by r.seed) as worst_heldouts
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join checkpoint_scores c on c.run_id = r.source_id and c.checkpoint = 'round'
       left join rounds t on t.run_id = c.run_id and t.round = c.round
      group by v.position, r.variant, c.round
      order by v.position, c.round`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    round: row['round'] as number,
    envSteps: row['env_steps'] as number,
    trainReturns: row['train_returns'] as (number | null)[],
    validationReturns: row['validation_returns'] as (number | null)[],
    heldoutReturns: row['heldout_returns'] as (number | null)[],
    worstHeldouts: row['worst_heldouts'] as (number | null)[],
  }));
}
