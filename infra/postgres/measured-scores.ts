import type { Database } from './database.ts';

/** Columns of `checkpoint_scores` that not every experiment measures: of a panel that it lacks there is nothing. */
export const OPTIONAL_SCORES = [
  'train_return',
  'validation_return',
  'heldout_return',
  'worst_heldout',
  'cvar_heldout',
  'heldout_std',
  'collapse_gap',
  'relative_gap',
  'visitation_divergence',
  'zero_variance_share',
  'policy_entropy',
  'dwelling',
  'indifference',
  'train_gain',
  'heldout_gain',
] as const;

/** Those that some run of an experiment has of its last checkpoint, and of its best one with `best_` before them. */
export async function listMeasuredScores(database: Database, experimentId: string): Promise<Set<string>> {
  const { rows } = await database.query(
    `select c.checkpoint, ${OPTIONAL_SCORES.map((score) => `bool_or(c.${score} is not null) as ${score}`).join(', ')}
       from runs r join checkpoint_scores c on c.run_id = coalesce(r.same_as, r.id) and c.checkpoint <> 'round'
      where r.experiment_id = $1 group by c.checkpoint`,
    [experimentId],
  );
  return new Set(
    rows.flatMap((row) =>
      OPTIONAL_SCORES.filter((score) => row[score]).map((score) =>
        row['checkpoint'] === 'best' ? `best_${score}` : score,
      ),
    ),
  );
}
