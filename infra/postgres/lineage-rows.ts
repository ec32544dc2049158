import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { candidateFromRow, type StoredCandidate } from './candidate-rows.ts';
import type { Database, Row } from './database.ts';
import { HAS_CRITIC } from './failure-rows.ts';
import { grouped } from './grouped-rows.ts';
import type { ImportedPart } from './used-import-rows.ts';

/** A simulator of a run, as rows name it. */
interface NamedRow {
  readonly name: string;
  readonly simulatorHash: string;
}

/** A simulator in the pool that holds from a round on. */
export interface PoolMembership extends NamedRow {
  /** Rounds completed when the pool was chosen; it is trained on from the next one. */
  readonly round: number;
  readonly weight: number;
  readonly parents: readonly string[];
  readonly reason: string;
  readonly failure: string | null;
  readonly contribution: number | null;
}

export interface PoolExit extends NamedRow {
  readonly round: number;
  readonly reason: string;
  readonly contribution: number | null;
}

/** The training episodes in one simulator, over all rounds in which it had any. */
export interface Taught extends NamedRow {
  readonly episodes: number;
  readonly firstRound: number;
  readonly lastRound: number;
  /** Means over the episodes of these two rounds. */
  readonly firstReturn: number;
  readonly lastReturn: number;
  /** How much worse than the critic had expected; null where episodes were not scored. */
  readonly firstShortfall: number | null;
  readonly lastShortfall: number | null;
}

/** A mined episode on the validation panel that went badly. */
export interface MinedFailure {
  readonly round: number;
  /** Among the failures of its round, from 0. */
  readonly position: number;
  /** The validation simulator. */
  readonly name: string;
  readonly return: number;
  /** 0 as chance, 1 as the best known policy. */
  readonly score: number;
  /** The step after which the critic's value fell most; null where no critic said what it expected. */
  readonly keyMoment: number | null;
  readonly group: number;
}

/** All that rows say of where the simulators of a run came from and what became of them. */
export interface RunLineage {
  readonly runId: string;
  readonly variant: string;
  readonly seed: number;
  /** The run whose rows these are: itself, or the one it was skipped for. */
  readonly sourceId: string;
  readonly panels: readonly (NamedRow & { readonly panel: PanelName })[];
  /** By round and place, as all lists here. */
  readonly pools: readonly PoolMembership[];
  readonly candidates: readonly StoredCandidate[];
  readonly exits: readonly PoolExit[];
  readonly taught: readonly Taught[];
  readonly failures: readonly MinedFailure[];
  /** By hash of a simulator: what in it was imported. Absent where nobody looked. */
  readonly imports?: ReadonlyMap<string, readonly ImportedPart[]>;
}

/** A SKIPPED run is known by the rows of the run that it is equal to. */
const SOURCE = `(select id, coalesce(same_as, id) as source_id, experiment_id, variant from runs where id = any($1)) r`;

/** By part of a lineage: its rows of several runs. */
const PARTS = {
  panels: `h.panel, h.name, h.simulator_hash from ${SOURCE}
    join panel_simulators h on h.experiment_id = r.experiment_id and h.variant = r.variant order by h.position`,
  pools: `p.* from ${SOURCE} join pools p on p.run_id = r.source_id order by p.round, p.position`,
  candidates: `c.* from ${SOURCE} join candidates c on c.run_id = r.source_id order by c.round, c.position`,
  admitted: `c.* from ${SOURCE} join candidates c on c.run_id = r.source_id and c.refusal is null
    order by c.round, c.position`,
  exits: `e.* from ${SOURCE} join evictions e on e.run_id = r.source_id order by e.round, e.position`,
  taught: `t.name, t.simulator_hash, sum(t.episodes) as episodes, min(t.round) as first_round, max(t.round) as last_round,
      (array_agg(t.return_mean order by t.round))[1] as first_return,
      (array_agg(t.return_mean order by t.round desc))[1] as last_return,
      (array_agg(t.shortfall order by t.round) filter (where t.shortfall is not null))[1] as first_shortfall,
      (array_agg(t.shortfall order by t.round desc) filter (where t.shortfall is not null))[1] as last_shortfall
    from ${SOURCE} join training_episodes t on t.run_id = r.source_id and t.episodes > 0
    group by r.id, t.name, t.simulator_hash order by min(t.round), min(t.position)`,
  failures: `f.round, f.position, f.name, f.return, f.score, case when ${HAS_CRITIC} then f.key_moment end as key_moment, f.failure_group
    from ${SOURCE} join failures f on f.run_id = r.source_id order by f.round, f.position`,
} as const;

type RowsOfRun = (runId: string) => readonly Row[];

/**
 * Where the simulators of runs came from, variant by variant in the order of the spec. Runs without a pool are left out.
 * @param options.refused whether candidates that did not enter are listed, too; a run may have thousands of them
 */
export async function listLineages(
  database: Database,
  runIds: readonly string[],
  { refused }: { refused: boolean },
): Promise<RunLineage[]> {
  const runs = await database.query(
    `select r.id, r.variant, r.seed, coalesce(r.same_as, r.id) as source_id from runs r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
      where r.id = any($1) order by v.position, r.seed`,
    [runIds],
  );
  const part = (name: keyof typeof PARTS) => rowsByRun(database, runIds, PARTS[name]);
  const panels = await part('panels');
  const pools = await part('pools');
  const candidates = await part(refused ? 'candidates' : 'admitted');
  const exits = await part('exits');
  const taught = await part('taught');
  const failures = await part('failures');
  return runs.rows
    .map((row) => {
      const id = row['id'] as string;
      return {
        runId: id,
        variant: row['variant'] as string,
        seed: row['seed'] as number,
        sourceId: row['source_id'] as string,
        panels: panels(id).map((each) => ({ ...namesFromRow(each), panel: each['panel'] as PanelName })),
        pools: pools(id).map(membershipFromRow),
        candidates: candidates(id).map(candidateFromRow),
        exits: exits(id).map(exitFromRow),
        taught: taught(id).map(taughtFromRow),
        failures: failures(id).map(failureFromRow),
      };
    })
    .filter((lineage) => lineage.pools.length > 0);
}

async function rowsByRun(database: Database, runIds: readonly string[], part: string): Promise<RowsOfRun> {
  const { rows } = await database.query(`select r.id as lineage_run, ${part}`, [runIds]);
  const byRun = grouped(rows, (row) => row['lineage_run'] as string);
  return (runId) => byRun.get(runId) ?? [];
}

function namesFromRow(row: Row): NamedRow {
  return { name: row['name'] as string, simulatorHash: row['simulator_hash'] as string };
}

function membershipFromRow(row: Row): PoolMembership {
  return {
    ...namesFromRow(row),
    round: row['round'] as number,
    weight: row['weight'] as number,
    parents: row['parents'] as string[],
    reason: row['reason'] as string,
    failure: row['failure'] as string | null,
    contribution: row['contribution'] as number | null,
  };
}

function exitFromRow(row: Row): PoolExit {
  return {
    ...namesFromRow(row),
    round: row['round'] as number,
    reason: row['reason'] as string,
    contribution: row['contribution'] as number | null,
  };
}

function taughtFromRow(row: Row): Taught {
  return {
    ...namesFromRow(row),
    episodes: row['episodes'] as number,
    firstRound: row['first_round'] as number,
    lastRound: row['last_round'] as number,
    firstReturn: row['first_return'] as number,
    lastReturn: row['last_return'] as number,
    firstShortfall: row['first_shortfall'] as number | null,
    lastShortfall: row['last_shortfall'] as number | null,
  };
}

function failureFromRow(row: Row): MinedFailure {
  return {
    round: row['round'] as number,
    position: row['position'] as number,
    name: row['name'] as string,
    return: row['return'] as number,
    score: row['score'] as number,
    keyMoment: row['key_moment'] as number | null,
    group: row['failure_group'] as number,
  };
}

/** Simulators by their hashes. */
export async function findSimulators(
  database: Database,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, SimulatorData>> {
  const { rows } = await database.query('select hash, simulator from simulators where hash = any($1)', [hashes]);
  return new Map(rows.map((row) => [row['hash'] as string, row['simulator'] as SimulatorData]));
}
