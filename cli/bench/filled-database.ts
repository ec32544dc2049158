import type { Database } from '../../infra/postgres/database.ts';
import { insertExperiment } from '../../infra/postgres/experiment-rows.ts';
import { panelSimulatorsByVariant } from '../../specification/panel-simulators.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { noteOnTerminal } from '../terminal/terminal.ts';
import { benchSpec } from './spec.ts';

const VARIANTS = 20;
const ROUNDS = 20;

/** How many rows of each kind there are in the end. */
export interface Filled {
  readonly runs: number;
  readonly episodes: number;
  readonly databaseMib: number;
}

/**
 * Fills a database as a year of experiments would: made-up numbers in every table that a page reads, in the proportions of
 * real runs of twenty rounds, five evaluated checkpoints, and five simulators on three panels.
 * @param seedCounts of each experiment of twenty variants
 * @returns ids of the experiments, in the order of `seedCounts`
 */
export async function fillDatabase(
  database: Database,
  seedCounts: readonly number[],
): Promise<{ ids: string[]; filled: Filled }> {
  // In one transaction: a worker that saw a run before it is over would carry it out.
  const ids = await database.transaction((client) =>
    writeAll(
      {
        query: (text, values) => client.query(text, values),
        transaction: (work) => work(client),
        close: async () => undefined,
      },
      seedCounts,
    ),
  );
  // As autovacuum would after a while: without it the first reader of every row writes to it.
  await database.query('vacuum (analyze)');
  const { rows } = await database.query(
    `select (select count(*) from runs) as runs, (select count(*) from episodes) as episodes,
            pg_database_size(current_database()) / 1048576 as mib`,
  );
  const [row] = rows;
  return {
    ids,
    filled: { runs: row!['runs'] as number, episodes: row!['episodes'] as number, databaseMib: row!['mib'] as number },
  };
}

async function writeAll(client: Database, seedCounts: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  // All of them before any run succeeds: a run whose equal has succeeded would be skipped.
  for (const [index, seeds] of seedCounts.entries()) ids.push(await storeExperiment(client, index, seeds));
  await client.query('select setseed(0.5)');
  for (const [what, statement] of Object.entries(STATEMENTS)) {
    noteOnTerminal(`filling: ${what}`);
    await client.query(statement);
  }
  return ids;
}

async function storeExperiment(database: Database, index: number, seeds: number): Promise<string> {
  const variants = Object.fromEntries(
    Array.from({ length: VARIANTS }, (_, place) => [
      `variant_${String(place).padStart(2, '0')}`,
      { strategy: { kind: 'frozen', simulator: 'partner_fixed' }, algorithm: { hidden_sizes: [16 + place] } },
    ]),
  );
  const { document, experiment } = await benchSpec('short', [
    `variants=${JSON.stringify(variants)}`,
    `budget.rounds=${ROUNDS}`,
    'budget.env_steps=1000000',
    `seeds.count=${seeds}`,
    `name="filled-${index}"`,
  ]);
  const id = `filled-${index}`;
  await insertExperiment(database, {
    id,
    identityHash: id,
    document,
    resolved: experiment,
    panelSimulators: panelSimulatorsByVariant(experiment.variants, DEFAULT_REGISTRIES),
    sourceFile: 'short.json',
    programVersion: 'benchmark',
  });
  return id;
}

const CHECKPOINTS = `(values (0, 'round'), (10, 'round'), (20, 'round'), (20, 'last'), (10, 'best')) as c (round, checkpoint)`;
const SIMULATORS = `(values ('train', 0, 'zero'), ('train', 1, 'left'), ('train', 2, 'near'), ('validation', 0, 'top'),
  ('test', 0, 'far')) as s (panel, position, name)`;
/** A run's rows stand near each other, since few runs are under way at a time. */
const AS_WRITTEN = 'order by r.id, n';
const FINISHED = `from runs r where r.state = 'SUCCEEDED'`;

/** In the order in which rows refer to each other. */
const STATEMENTS: Readonly<Record<string, string>> = {
  simulators: `insert into simulators (hash, family, family_version, family_options, simulator)
    select 'bench-' || name, 'simple_spread', '1', '{}', '{}' from ${SIMULATORS}`,
  runs: `update runs set state = case when random() < 0.97 then 'SUCCEEDED' else 'FAILED' end, fence = 24,
           rounds_completed = 20, env_steps = 1000000, started_at = now() - random() * interval '300 days',
           finished_at = now(), reason = null`,
  reasons: `update runs set reason = 'diverged: policy_loss is NaN in round 7' where state = 'FAILED'`,
  rounds: `insert into rounds (run_id, round, env_steps, checkpoint_hash, wall_s, peak_rss_mib)
    select r.id, n, n * 50000, md5(r.id || n), 4 + random(), 180 + 20 * random() from runs r, generate_series(1, 20) n ${AS_WRITTEN}`,
  attempts: `insert into attempts (run_id, number, kind, round, worker, process_id, fingerprint, started_at, ended_at,
                                     outcome, peak_rss_mib)
    select r.id, n, case when n = 24 then 'finish_run' when n % 8 = 1 then 'evaluate_panels' else 'train_round' end, n / 2,
           'worker', 4711, '{"node":"v20"}', r.started_at + n * interval '5 s', r.started_at + (n + 1) * interval '5 s',
           'done', 180 + 20 * random() from runs r, generate_series(1, 24) n ${AS_WRITTEN}`,
  metrics: `insert into metrics (run_id, round, name, value)
    select r.id, n, m, random() from runs r, generate_series(1, 20) n,
           unnest(array['policy_loss', 'value_loss', 'entropy', 'gradient_norm']) m ${AS_WRITTEN}`,
  'training episodes': `insert into training_episodes (run_id, round, position, simulator_hash, name, episodes, return_mean,
                                                       return_std, length_mean, success_rate)
    select r.id, n, s.position, 'bench-' || s.name, s.name, 2000, -30 + n + random(), 5, 25, random()
      from runs r, generate_series(1, 20) n, ${SIMULATORS} where s.panel = 'train' ${AS_WRITTEN}`,
  costs: `insert into costs (run_id, round, activity, purpose, env_steps)
    select r.id, n, 'train_round', 'training', 50000 from runs r, generate_series(1, 20) n
    union all select r.id, c.round, 'evaluate_panels:' || c.checkpoint, 'evaluation', 500 from runs r, ${CHECKPOINTS} order by 1, 2`,
  evaluations: `insert into evaluations (run_id, round, checkpoint, panel, position, name, simulator_hash, reference_hash,
                                           weight, episodes, return_mean, return_std, length_mean, success_rate)
    select r.id, c.round, c.checkpoint, s.panel, s.position, s.name, 'bench-' || s.name, 'bench-' || s.name, 1, 4,
           -25 + 5 * random() + c.round * 0.3, 4 + random(), 25, random() from runs r, ${CHECKPOINTS}, ${SIMULATORS} order by r.id, c.round`,
  episodes: `insert into episodes (run_id, round, checkpoint, panel, position, episode, return, length, success)
    select run_id, round, checkpoint, panel, position, n, return_mean + 8 * (random() - 0.5), 25, random() < 0.3
      from evaluations, generate_series(0, 3) n order by run_id, round`,
  scores: `insert into checkpoint_scores (run_id, round, checkpoint, train_return, validation_return, heldout_return,
               worst_heldout, cvar_heldout, heldout_std, collapse_gap, relative_gap, verdict, train_gain, heldout_gain,
               visitation_divergence, zero_variance_share, policy_entropy, dwelling, indifference)
    select r.id, c.round, c.checkpoint, -20 + random(), -22 + random(), -23 + random(), -25 + random(), -30 + random(),
           random(), 2 + random(), 0.2 + 0.1 * random(), 'collapsed', 9 + random(), 7 + random(), random(), random(),
           random(), random(), random() from runs r, ${CHECKPOINTS} order by r.id, c.round`,
  events: `insert into events (experiment_id, run_id, kind, message)
    select r.experiment_id, r.id, 'attempt', 'attempt ' || n || ' is done' from runs r, generate_series(1, 5) n ${AS_WRITTEN}`,
  results: `insert into results (run_id, env_steps, best_round, peak_rss_mib, wall_s, program_version, rise_then_fall, fall,
                                   auc, roughness)
    select r.id, 1000000, 10, 200, 100 + random(), 'benchmark', false, random(), -20 + random(), random() ${FINISHED}`,
};
