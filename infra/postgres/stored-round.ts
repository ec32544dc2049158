import type { ComparedRow, Value } from '../../learning/diagnosis/first-difference.ts';
import type { Database, Row } from './database.ts';

/** Rows hold the env steps of the run so far; a round's own are the difference. */
const STEPS_BEFORE =
  'coalesce((select b.env_steps from rounds b where b.run_id = rounds.run_id and b.round = rounds.round - 1), 0)';

/** What a trained round left behind that is a function of the spec and the seed. */
const TABLES: Readonly<Record<string, { readonly key: string; readonly columns: readonly string[] }>> = {
  training_episodes: {
    key: 'position',
    columns: [
      ...[
        'simulator_hash',
        'name',
        'episodes',
        'return_mean',
        'return_std',
        'length_mean',
        'success_rate',
        'visitation',
      ],
      ...['positive_value_loss', 'value_mean', 'discounted_return_max', 'shortfall'],
    ],
  },
  member_episodes: { key: 'name', columns: ['episodes', 'return_mean'] },
  metrics: { key: 'name', columns: ['value'] },
  // Last, because everything shows in the checkpoint, and a hash says least about what differs.
  rounds: { key: 'round', columns: [`env_steps - ${STEPS_BEFORE} as env_steps`, 'checkpoint_hash'] },
};

/** Rows of the k-th round of a run, in the order in which they are compared; none when it is not committed. */
export async function listStoredRound(database: Database, runId: string, round: number): Promise<ComparedRow[]> {
  const stored: ComparedRow[] = [];
  for (const [table, { key, columns }] of Object.entries(TABLES)) {
    const { rows } = await database.query(
      `select ${key}::text as key, ${columns.join(', ')} from ${table} where run_id = $1 and round = $2 order by ${key}`,
      [runId, round],
    );
    stored.push(...rows.map((row) => comparedRow(table, row)));
  }
  return stored;
}

function comparedRow(table: string, { key, ...values }: Row): ComparedRow {
  return { table, key: key as string, values: values as Record<string, Value> };
}

/**
 * Rounds of a run that can be played again: the first, which starts from the seed, and those whose checkpoint before is
 * still kept. Ascending.
 */
export async function listReplayableRounds(database: Database, runId: string): Promise<number[]> {
  const { rows } = await database.query(
    `select t.round from rounds t
      where t.run_id = $1 and (t.round = 1 or exists (
        select from artifacts a where a.run_id = t.run_id and a.kind = 'checkpoint' and a.round = t.round - 1))
      order by t.round`,
    [runId],
  );
  return rows.map((row) => row['round'] as number);
}

/** The machine that trained the k-th round; null when it is not known. */
export async function findRoundFingerprint(
  database: Database,
  runId: string,
  round: number,
): Promise<Readonly<Record<string, string>> | null> {
  const { rows } = await database.query(
    `select fingerprint from attempts
      where run_id = $1 and kind = 'train_round' and round = $2 and outcome = 'done' order by number desc limit 1`,
    [runId, round - 1],
  );
  return (rows[0]?.['fingerprint'] as Readonly<Record<string, string>> | undefined) ?? null;
}

/** The run that has the rows: of a SKIPPED run the one that it is equal to. */
export async function findSourceRun(database: Database, runId: string): Promise<string> {
  const { rows } = await database.query('select coalesce(same_as, id) as id from runs where id = $1', [runId]);
  return (rows[0]?.['id'] as string | undefined) ?? runId;
}
