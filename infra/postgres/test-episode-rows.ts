import type { RunState } from '../../schemas/records.ts';
import type { Database } from './database.ts';
import { BY_RUN, RUNS } from './export-table.ts';

/** Whether a run is whole, and where on its way it was evaluated. */
export interface EvaluatedRunRow {
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  /** Completed rounds and env steps of training of every evaluated round. */
  readonly rounds: readonly number[];
  readonly steps: readonly number[];
}

export async function listEvaluatedRuns(database: Database, experimentId: string): Promise<EvaluatedRunRow[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, r.state, coalesce(array_agg(c.round order by c.round) filter (where c.round is not null), '{}') as rounds,
            coalesce(array_agg(coalesce(t.env_steps, 0)::float8 order by c.round) filter (where c.round is not null), '{}') as steps
       from ${RUNS}
       left join checkpoint_scores c on c.run_id = r.source_id and c.checkpoint = 'round'
       left join rounds t on t.run_id = c.run_id and t.round = c.round
      group by r.variant_position, r.variant, r.seed, r.state order by ${BY_RUN}`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    rounds: row['rounds'] as number[],
    steps: row['steps'] as number[],
  }));
}

/** The simulators that a variant is tested on, in their order. */
export interface TestSimulator {
  readonly variant: string;
  readonly position: number;
  readonly name: string;
  readonly simulatorHash: string;
}

export async function listTestSimulators(database: Database, experimentId: string): Promise<TestSimulator[]> {
  const { rows } = await database.query(
    `select variant, row_number() over (partition by variant order by position) - 1 as position, name, simulator_hash
       from panel_simulators where experiment_id = $1 and panel = 'test' order by variant, position`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    position: row['position'] as number,
    name: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
  }));
}

/** Episodes of a checkpoint on one test simulator, in their order. */
export interface TestEpisodes {
  readonly round: number;
  /** On the way, or best on validation at the end. */
  readonly checkpoint: 'round' | 'best';
  /** Place in the test panel. */
  readonly position: number;
  readonly weight: number;
  readonly returns: readonly number[];
  readonly lengths: readonly number[];
  readonly successes: readonly boolean[];
}

/** What a run got on the test panel, evaluation by evaluation. */
export async function listTestEpisodes(
  database: Database,
  run: { experimentId: string; variant: string; seed: number },
): Promise<TestEpisodes[]> {
  const { rows } = await database.query(
    `select e.round, e.checkpoint, e.position, e.weight, array_agg(p.return order by p.episode) as returns,
            array_agg(p.length order by p.episode) as lengths, array_agg(p.success order by p.episode) as successes
       from ${RUNS} join evaluations e on e.run_id = r.source_id and e.panel = 'test' and e.checkpoint in ('round', 'best')
       join episodes p on p.run_id = e.run_id and p.round = e.round and p.checkpoint = e.checkpoint and p.panel = e.panel
        and p.position = e.position
      where r.variant = $2 and r.seed = $3
      group by e.round, e.checkpoint, e.position, e.weight order by e.round, e.checkpoint, e.position`,
    [run.experimentId, run.variant, run.seed],
  );
  return rows.map((row) => ({
    round: row['round'] as number,
    checkpoint: row['checkpoint'] as TestEpisodes['checkpoint'],
    position: row['position'] as number,
    weight: row['weight'] as number,
    returns: row['returns'] as number[],
    lengths: row['lengths'] as number[],
    successes: row['successes'] as boolean[],
  }));
}
