import type { Database } from './database.ts';

/** Where a run stood when it was last evaluated. */
export interface RunScore {
  readonly variant: string;
  readonly seed: number;
  /** Completed rounds. */
  readonly round: number;
  readonly heldoutReturn: number;
}

/** The runs of an experiment with the best and the worst mean return on the test panel so far; null before there is one. */
export interface ScoreExtremes {
  readonly best: RunScore;
  readonly worst: RunScore;
}

/** Each run counts as it was when it was last evaluated; before its first round it has learnt nothing and counts not. */
export async function findScoreExtremes(database: Database, experimentId: string): Promise<ScoreExtremes | null> {
  const { rows } = await database.query(
    `with scored as (
       select r.variant, r.seed, r.position, s.round, s.heldout_return from runs r cross join lateral (
         select round, heldout_return from checkpoint_scores
          where run_id = coalesce(r.same_as, r.id) and checkpoint <> 'best' and round > 0 order by round desc, checkpoint limit 1) s
        where r.experiment_id = $1 and s.heldout_return is not null and s.heldout_return <> 'NaN')
     (select * from scored order by heldout_return desc, position limit 1)
     union all
     (select * from scored order by heldout_return, position limit 1)`,
    [experimentId],
  );
  const [best, worst] = rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    round: row['round'] as number,
    heldoutReturn: row['heldout_return'] as number,
  }));
  return best === undefined || worst === undefined ? null : { best, worst };
}
