import { ThawError } from '../../schemas/errors.ts';
import type { Database, Queryable } from './database.ts';

/** A run that goes on from a round of another one. */
export interface ForkedRun {
  readonly variant: string;
  readonly seed: number;
  /** The run that has the rows. */
  readonly from: string;
  /** Its identity with its origin, so that it never stands for a run of equal content that was not forked. */
  readonly variantHash: string;
}

/** Which evaluations of the rounds before a variant's runs take over: those that its own schedule would have made. */
export interface KeptEvaluations {
  readonly everyRounds: number;
  readonly roundCount: number;
}

/** Where an experiment was forked, and what its runs take over. */
export interface Fork {
  readonly from: string;
  /** Rounds that are taken over; null when every run begins at its beginning. */
  readonly round: number | null;
  readonly runs: readonly ForkedRun[];
  /** By variant; of one that is missing no evaluation is taken over. */
  readonly evaluations: Readonly<Record<string, KeptEvaluations>>;
}

const EVALUATED = `t.checkpoint = 'round' and (t.round % k.every_rounds = 0 or t.round = k.round_count)`;

/** Tables of which a fork takes over the rows up to its round, in the order of their references, and which of them. */
export const FORKED_TABLES: Readonly<Record<string, string>> = {
  rounds: 'true',
  artifacts: `t.kind = 'checkpoint' or t.kind like 'snapshot:%'`,
  replay_segments: 'true',
  strategy_states: 'true',
  pools: 'true',
  candidates: 'true',
  evictions: 'true',
  mined_simulators: 'true',
  failures: 'true',
  episode_samples: 'true',
  training_episodes: 'true',
  member_episodes: 'true',
  metrics: 'true',
  evaluations: EVALUATED,
  episodes: EVALUATED,
  visitations: EVALUATED,
  checkpoint_scores: EVALUATED,
  costs: `t.activity in ('train_round', 'adapt_pool') or (t.activity = 'evaluate_panels'
            and (t.round % k.every_rounds = 0 or t.round = k.round_count))`,
};

/** Tables with rows of rounds that say how these came about, and not what came of them. */
export const UNFORKED_TABLES: readonly string[] = ['attempts'];

/**
 * Gives the runs of a new experiment the rows of those they go on from. Called in the transaction that writes the
 * experiment, before anybody looks for equal runs.
 * @throws REQUEST_CONFLICT when a checkpoint was given up meanwhile
 */
export async function takeOverRounds(client: Queryable, experimentId: string, fork: Fork): Promise<void> {
  await client.query('update experiments set forked_from = $2, forked_round = $3 where id = $1', [
    experimentId,
    fork.from,
    fork.round,
  ]);
  if (fork.round === null) return;
  await client.query(
    `update runs r set forked_from = f.origin, forked_round = $2, variant_hash = f.variant_hash, rounds_completed = $2
       from unnest($3::text[], $4::bigint[], $5::text[], $6::text[]) as f (variant, seed, origin, variant_hash)
      where r.experiment_id = $1 and r.variant = f.variant and r.seed = f.seed`,
    [
      experimentId,
      fork.round,
      fork.runs.map(({ variant }) => variant),
      fork.runs.map(({ seed }) => seed),
      fork.runs.map(({ from }) => from),
      fork.runs.map(({ variantHash }) => variantHash),
    ],
  );
  await lockCheckpoints(client, experimentId, fork.runs.length);
  for (const [table, condition] of Object.entries(FORKED_TABLES)) {
    await copyRows(client, { experimentId, table, condition, evaluations: fork.evaluations });
  }
  await client.query(
    `update runs r set env_steps = t.env_steps from rounds t
      where r.experiment_id = $1 and t.run_id = r.forked_from and t.round = r.forked_round`,
    [experimentId],
  );
}

/** Whoever gives up checkpoints waits for the locks, and then sees who else has them. */
async function lockCheckpoints(client: Queryable, experimentId: string, count: number): Promise<void> {
  const { rows } = await client.query(
    `select a.run_id from artifacts a join runs r on r.forked_from = a.run_id and r.forked_round = a.round
      where r.experiment_id = $1 and a.kind = 'checkpoint' for update of a`,
    [experimentId],
  );
  if (rows.length === count) return;
  throw new ThawError('REQUEST_CONFLICT', 'A checkpoint to go on from was given up in this moment.', {
    remedy: 'Call the command again: it says which rounds there are now.',
  });
}

interface Copy {
  readonly experimentId: string;
  readonly table: string;
  readonly condition: string;
  readonly evaluations: Fork['evaluations'];
}

async function copyRows(client: Queryable, { experimentId, table, condition, evaluations }: Copy): Promise<void> {
  const columns = (await listColumns(client, table)).filter((name) => name !== 'run_id').map((name) => `"${name}"`);
  await client.query(
    `insert into ${table} (run_id, ${columns.join(', ')})
     select r.id, ${columns.map((name) => `t.${name}`).join(', ')}
       from runs r join ${table} t on t.run_id = r.forked_from and t.round <= r.forked_round
       left join unnest($2::text[], $3::integer[], $4::integer[]) as k (variant, every_rounds, round_count)
         on k.variant = r.variant
      where r.experiment_id = $1 and (${condition})`,
    [
      experimentId,
      Object.keys(evaluations),
      Object.values(evaluations).map(({ everyRounds }) => everyRounds),
      Object.values(evaluations).map(({ roundCount }) => roundCount),
    ],
  );
}

/** Asked of the database, so that a column that is added later is taken over too. */
async function listColumns(client: Queryable, table: string): Promise<string[]> {
  const { rows } = await client.query(
    `select column_name from information_schema.columns
      where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  return rows.map((row) => row['column_name'] as string);
}

/** A run that a fork may go on from, and the rounds whose checkpoints it has. */
export interface ForkSource {
  readonly variant: string;
  readonly seed: number;
  /** The run that has the rows: of a SKIPPED run the one that it is equal to. */
  readonly id: string;
  readonly variantHash: string;
  /** Ascending. */
  readonly rounds: readonly number[];
  /** After the round asked about; null where it has not come so far. */
  readonly envSteps: number | null;
}

/** The runs of an experiment as a fork at a round sees them. */
export async function listForkSources(database: Database, experimentId: string, round: number): Promise<ForkSource[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, o.id, o.variant_hash,
            array(select a.round from artifacts a where a.run_id = o.id and a.kind = 'checkpoint' order by a.round) as rounds,
            (select t.env_steps from rounds t where t.run_id = o.id and t.round = $2) as env_steps
       from runs r join runs o on o.id = coalesce(r.same_as, r.id)
      where r.experiment_id = $1 order by r.position`,
    [experimentId, round],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    envSteps: row['env_steps'] as number | null,
    id: row['id'] as string,
    variantHash: row['variant_hash'] as string,
    rounds: row['rounds'] as number[],
  }));
}

/** What a run has met up to a round. */
export interface MetSimulator {
  readonly variant: string;
  readonly simulatorHash: string;
  /** Trained on, or only mined for failures. */
  readonly how: 'trained' | 'mined';
}

/** The simulators that the runs of an experiment trained on or mined in their first rounds, by variant. */
export async function listMetSimulators(
  database: Database,
  experimentId: string,
  { upTo }: { upTo: number },
): Promise<MetSimulator[]> {
  const { rows } = await database.query(
    `select distinct r.variant, m.simulator_hash, m.how
       from runs r,
            lateral (select simulator_hash, 'trained' as how from pools where run_id = coalesce(r.same_as, r.id) and round <= $2
                     union select simulator_hash, 'mined' from mined_simulators
                            where run_id = coalesce(r.same_as, r.id) and round <= $2) m
      where r.experiment_id = $1`,
    [experimentId, upTo],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    simulatorHash: row['simulator_hash'] as string,
    how: row['how'] as MetSimulator['how'],
  }));
}
