import type { Failure, MinedSimulator } from '../../learning/failures/contract.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { candidateFromRow, type StoredCandidate } from './candidate-rows.ts';
import type { Database, Row } from './database.ts';

/** Which cell of an experiment was mined, and after how many rounds. */
interface Mining {
  readonly runId: string;
  readonly variant: string;
  readonly seed: number;
  readonly round: number;
}

/** What is known of the simulator that a failure happened in: means over its mined episodes. */
export type MinedReturns = Pick<
  MinedSimulator,
  'episodes' | 'returnMean' | 'randomMean' | 'knownMean' | 'knownBy' | 'isImpossible'
>;

/** What happened in an episode, step by step: most of what is stored of a failure. */
type EpisodeSteps = Pick<Failure, 'actions' | 'rewards' | 'values'>;

/** What is told of a failure in a list, and what became of it. */
export interface ListedFailure extends Mining, Omit<Failure, 'simulator' | 'states' | keyof EpisodeSteps> {
  /** Its place among the failures of its round, 0 being the worst. */
  readonly index: number;
  readonly simulatorHash: string;
  readonly stepCount: number;
  /** Whether a critic said what it expected. Without one the key moment is the first step. */
  readonly hasCritic: boolean;
  readonly mined: MinedReturns;
  /** How many simulators were made from it, and how many of these entered a pool. */
  readonly candidateCount: number;
  readonly admittedCount: number;
}

/** A stored failure with all that it takes to play it again. */
export interface StoredFailure extends ListedFailure, EpisodeSteps {}

/** Whose failures are asked for: all of an experiment, or of them those of a run, of a mining in it, or one of these. */
export interface FailureScope {
  readonly experimentId: string;
  readonly runId?: string | undefined;
  readonly round?: number;
  readonly index?: number;
  readonly variant?: string | undefined;
  readonly seed?: number | undefined;
  readonly group?: number | undefined;
}

/** A validation simulator as it was mined. */
export interface StoredMinedSimulator extends Mining, MinedReturns {
  readonly name: string;
  readonly simulatorHash: string;
}

/** A simulator that was made from a failure, and its fate. */
export interface MadeSimulator extends StoredCandidate {
  /** When and why it left the pool; null where it did not, or was never in it. */
  readonly left: { readonly round: number; readonly reason: string; readonly contribution: number | null } | null;
}

/** A SKIPPED run has no rows of its own: it shows those of the equal run that was finished before. */
const RUNS = `(select *, coalesce(same_as, id) as mined_id from runs where experiment_id = $1) r
  join variants v on v.experiment_id = r.experiment_id and v.name = r.variant`;

const MINING_COLUMNS = 'r.id as run_id, r.variant, r.seed';

const RETURN_COLUMNS = 'm.episodes, m.return_mean, m.random_mean, m.known_mean, m.known_by, m.is_impossible';

/** Of a trainer of somebody else no value is known; the last is that of the state after a termination, which is 0. */
export const HAS_CRITIC = `exists (select from unnest(f.critic_values[:cardinality(f.rewards)]) value where value <> 'NaN')`;

/** Failures, variant by variant in the order of the spec, the worst of a mining first. */
export async function listFailures(database: Database, scope: FailureScope): Promise<ListedFailure[]> {
  return (await failureRows(database, scope, 'null')).map(listedFromRow);
}

/** The same with every step of their episodes. */
export async function listWholeFailures(database: Database, scope: FailureScope): Promise<StoredFailure[]> {
  const rows = await failureRows(database, scope, 'f.actions, f.rewards, f.critic_values');
  return rows.map((row) => ({
    ...listedFromRow(row),
    actions: row['actions'] as number[][],
    rewards: row['rewards'] as number[],
    values: row['critic_values'] as number[],
  }));
}

/** A page of failures, the worst of all first, and how many there are. */
export async function pageFailures(
  database: Database,
  scope: FailureScope,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; failures: ListedFailure[] }> {
  const rows = await failureRows(database, scope, 'null', { order: WORST_FIRST, limit, offset });
  const counted = await database.query(
    `select count(*) as total from ${RUNS} join failures f on f.run_id = r.mined_id where ${IN_SCOPE}`,
    scopeValues(scope),
  );
  return { total: counted.rows[0]!['total'] as number, failures: rows.map(listedFromRow) };
}

const MINING_ORDER = 'v.position, r.seed, f.round, f.position';
const WORST_FIRST = `f.score, f.return, ${MINING_ORDER}`;

const IN_SCOPE = `($2::text is null or r.id = $2) and ($3::integer is null or f.round = $3)
        and ($4::integer is null or f.position = $4) and ($5::text is null or r.variant = $5)
        and ($6::bigint is null or r.seed = $6) and ($7::bigint is null or f.failure_group = $7)`;

function scopeValues({ experimentId, runId, round, index, variant, seed, group }: FailureScope): unknown[] {
  return [experimentId, ...[runId, round, index, variant, seed, group].map((value) => value ?? null)];
}

/** All of them, mining by mining. */
const WHOLE = { order: MINING_ORDER, limit: null, offset: 0 };

async function failureRows(
  database: Database,
  scope: FailureScope,
  stepColumns: string,
  { order, limit, offset }: { order: string; limit: number | null; offset: number } = WHOLE,
): Promise<Row[]> {
  // The name of a failure within its run is written as `failureName` does it. A simulator that was mined more than once in
  // a round, each time with other draws, is found by its content.
  const { rows } = await database.query(
    `with made as (
       select run_id, failure, count(*) as candidates, count(*) filter (where refusal is null) as admitted
         from candidates
        where failure is not null
          and run_id in (select coalesce(same_as, id) from runs where experiment_id = $1 and ($2::text is null or id = $2))
        group by run_id, failure)
     select ${MINING_COLUMNS}, f.round, f.position, f.name, f.simulator_hash, f.episode, f.key_high, f.key_low, f.return,
            f.score, f.key_moment, f.features, f.failure_group, f.is_medoid, cardinality(f.rewards) as steps,
            ${HAS_CRITIC} as has_critic, ${stepColumns},
            coalesce(made.candidates, 0) as candidates, coalesce(made.admitted, 0) as admitted, ${RETURN_COLUMNS}
       from ${RUNS}
       join failures f on f.run_id = r.mined_id
       join lateral (select * from mined_simulators where run_id = f.run_id and round = f.round and name = f.name
                      order by simulator_hash = f.simulator_hash desc, position limit 1) m on true
       left join made on made.run_id = f.run_id and made.failure = f.round || '.' || (f.position + 1)
      where ${IN_SCOPE}
      order by ${order} limit $8 offset $9`,
    [...scopeValues(scope), limit, offset],
  );
  return rows;
}

/** Every simulator that was mined for the runs of an experiment, whether anything failed in it or not. */
export async function listMinedSimulators(database: Database, experimentId: string): Promise<StoredMinedSimulator[]> {
  const { rows } = await database.query(
    `select ${MINING_COLUMNS}, m.round, m.name, m.simulator_hash, ${RETURN_COLUMNS}
       from ${RUNS} join mined_simulators m on m.run_id = r.mined_id
      order by v.position, r.seed, m.round, m.position`,
    [experimentId],
  );
  return rows.map((row) => ({
    ...miningFromRow(row),
    name: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
    ...returnsFromRow(row),
  }));
}

/** The simulator that a failure happened in, draws written in. */
export async function findFailedSimulator(
  database: Database,
  { simulatorHash }: Pick<StoredFailure, 'simulatorHash'>,
): Promise<SimulatorData> {
  const { rows } = await database.query('select simulator from simulators where hash = $1', [simulatorHash]);
  return rows[0]!['simulator'] as SimulatorData;
}

/**
 * The simulators that were made from one failure, in the order in which they were weighed.
 * @param failure its name within the run, as `failureName` writes it
 */
export async function listMadeSimulators(database: Database, runId: string, failure: string): Promise<MadeSimulator[]> {
  const { rows } = await database.query(
    `select c.name, c.simulator_hash, c.round, c.parents, c.origin, c.failure, c.score, c.novelty, c.probe_episodes, c.probe_return,
            c.refusal, e.round as left_round, e.reason as left_reason, e.contribution
       from candidates c
       left join lateral (select round, reason, contribution from evictions
                           where c.refusal is null and run_id = c.run_id and name = c.name and round > c.round
                           order by round limit 1) e on true
      where c.run_id = (select coalesce(same_as, id) from runs where id = $1) and c.failure = $2
      order by c.round, c.position`,
    [runId, failure],
  );
  return rows.map((row) => ({
    ...candidateFromRow(row),
    left:
      row['left_round'] === null
        ? null
        : {
            round: row['left_round'] as number,
            reason: row['left_reason'] as string,
            contribution: row['contribution'] as number | null,
          },
  }));
}

function listedFromRow(row: Row): ListedFailure {
  return {
    ...miningFromRow(row),
    index: row['position'] as number,
    name: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
    episode: row['episode'] as number,
    key: { high: row['key_high'] as number, low: row['key_low'] as number },
    return: row['return'] as number,
    score: row['score'] as number,
    keyMoment: row['key_moment'] as number,
    features: row['features'] as number[],
    group: row['failure_group'] as number,
    isMedoid: row['is_medoid'] as boolean,
    stepCount: row['steps'] as number,
    hasCritic: row['has_critic'] as boolean,
    mined: returnsFromRow(row),
    candidateCount: row['candidates'] as number,
    admittedCount: row['admitted'] as number,
  };
}

function miningFromRow(row: Row): Mining {
  return {
    runId: row['run_id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    round: row['round'] as number,
  };
}

function returnsFromRow(row: Row): MinedReturns {
  return {
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    randomMean: row['random_mean'] as number,
    knownMean: row['known_mean'] as number,
    knownBy: row['known_by'] as MinedSimulator['knownBy'],
    isImpossible: row['is_impossible'] as boolean,
  };
}
