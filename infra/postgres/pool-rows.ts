import type { EpisodeRule, Member, RandomizationRanges, StrategyState } from '../../learning/strategies/contract.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import type { PoolRecord } from '../../schemas/records.ts';
import { ThawError } from '../../schemas/errors.ts';
import { insertArtifact, type ArtifactRecord } from './artifact-rows.ts';
import { commitInAttempt, type AttemptEnd, type AttemptToken } from './attempt-rows.ts';
import { type CandidateRecord, type EvictionRecord, insertCandidates, insertEvictions } from './candidate-rows.ts';
import { insertCosts, type Cost } from './cost-rows.ts';
import type { Database, Queryable, Row } from './database.ts';
import { grouped } from './grouped-rows.ts';
import { insertMined, type MinedRecords } from './mined-rows.ts';

/** A simulator's content under its hash. */
export interface SimulatorRecord {
  readonly hash: string;
  readonly family: string;
  readonly familyVersion: string;
  readonly familyOptions: Readonly<Record<string, unknown>>;
  readonly simulator: SimulatorData;
}

export interface StoredPoolEntry extends PoolRecord {
  readonly simulator: SimulatorData;
}

/** The pool that holds from a round on, with the state of the strategy that chose it. */
export interface RunPool {
  readonly round: number;
  readonly entries: readonly StoredPoolEntry[];
  /** Policies that are trained from this round on. */
  readonly members: readonly Member[];
  readonly state: StrategyState;
  readonly episodeRule: EpisodeRule;
}

/** What is committed together with a pool. */
export interface PoolParts {
  readonly simulators: readonly SimulatorRecord[];
  readonly costs: readonly Cost[];
  /** Policies that were stored so that they can hold seats. */
  readonly artifacts: readonly ArtifactRecord[];
  readonly candidates: readonly CandidateRecord[];
  readonly evictions: readonly EvictionRecord[];
  /** What was mined before the decision; null where nothing was. */
  readonly mined: MinedRecords | null;
}

/** Of a decision that leaves nothing behind but its pool. */
export const NO_PARTS: PoolParts = {
  simulators: [],
  costs: [],
  artifacts: [],
  candidates: [],
  evictions: [],
  mined: null,
};

/** Stores simulators; equal content is stored once. */
export async function insertSimulators(client: Queryable, simulators: readonly SimulatorRecord[]): Promise<void> {
  const distinct = [...new Map(simulators.map((record) => [record.hash, record])).values()];
  // In one statement, because a decision may weigh hundreds; in the order of the hashes, so that runs which store the same
  // simulators at once wait for each other and never for ever.
  await client.query(
    `insert into simulators (hash, family, family_version, family_options, simulator)
     select * from json_to_recordset($1) as s (hash text, family text, family_version text, family_options json, simulator json)
      order by hash collate "C"
     on conflict (hash) do nothing`,
    [
      JSON.stringify(
        distinct.map(({ hash, family, familyVersion, familyOptions, simulator }) => ({
          hash,
          family,
          family_version: familyVersion,
          family_options: familyOptions,
          simulator,
        })),
      ),
    ],
  );
}

/** Of an entry of a pool `p`: that it is held out from the run's variant. */
const IS_HELD_OUT = `exists (
  select 1 from runs r join panel_simulators h on h.experiment_id = r.experiment_id and h.variant = r.variant
   where r.id = p.run_id and h.panel <> 'train' and h.simulator_hash = p.simulator_hash)`;

/**
 * Commits the pool that holds from `pool.round` on. Committing it twice is committing it once.
 * @throws DEFECT_INVARIANT when a validation or test simulator of the variant is in it
 */
export async function commitPool(
  database: Database,
  token: AttemptToken,
  pool: Omit<RunPool, 'entries'> & { entries: readonly PoolRecord[] },
  { simulators, costs, artifacts, candidates, evictions, mined }: PoolParts,
  end: AttemptEnd | null = null,
): Promise<void> {
  await commitInAttempt(database, token, end, async (client) => {
    await insertSimulators(client, simulators);
    await insertCosts(client, token.runId, costs);
    await insertCandidates(client, token.runId, pool.round, candidates);
    await insertEvictions(client, token.runId, pool.round, evictions);
    if (mined !== null) await insertMined(client, token.runId, pool.round, mined);
    for (const artifact of artifacts) await insertArtifact(client, token.runId, pool.round, artifact);
    await client.query(
      `insert into strategy_states (run_id, round, state, episode_rule, members) values ($1, $2, $3, $4, $5)
       on conflict (run_id, round) do update
         set state = excluded.state, episode_rule = excluded.episode_rule, members = excluded.members`,
      [
        token.runId,
        pool.round,
        JSON.stringify(pool.state),
        JSON.stringify(pool.episodeRule),
        JSON.stringify(pool.members),
      ],
    );
    await client.query('delete from pools where run_id = $1 and round = $2', [token.runId, pool.round]);
    for (const [position, entry] of pool.entries.entries()) {
      await client.query(
        `insert into pools (run_id, round, position, name, simulator_hash, weight, parents, reason, randomization, learns,
                            failure, contribution)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
        [
          token.runId,
          pool.round,
          position,
          entry.name,
          entry.simulatorHash,
          entry.weight,
          JSON.stringify(entry.parents),
          entry.reason,
          JSON.stringify(entry.randomization),
          entry.learns,
          entry.failure,
          entry.contribution,
        ],
      );
    }
    await refuseHeldOut(client, token.runId, pool.round);
  });
}

/**
 * Held-out means held out, whatever a strategy does: this is the last word before training.
 * @throws DEFECT_INVARIANT
 */
async function refuseHeldOut(client: Queryable, runId: string, round: number): Promise<void> {
  const { rows } = await client.query(
    `select p.name from pools p where p.run_id = $1 and p.round = $2 and ${IS_HELD_OUT} order by p.position`,
    [runId, round],
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row['name']).join(', ');
  throw new ThawError(
    'DEFECT_INVARIANT',
    `${runId} would train on what is held out from it in round ${round}: ${names}`,
  );
}

/**
 * The pool that holds in a round: the newest one committed at or before it; null before the first. It feeds training, so
 * it gives no simulator that is held out from the run's variant.
 * @throws DEFECT_INVARIANT when such a one is in the stored pool
 */
export async function findPool(database: Database, runId: string, round: number): Promise<RunPool | null> {
  const states = await database.query(
    'select round, state, episode_rule, members from strategy_states where run_id = $1 and round <= $2 order by round desc limit 1',
    [runId, round],
  );
  const [row] = states.rows;
  if (row === undefined) return null;
  await refuseHeldOut(database, runId, row['round'] as number);
  const entries = await database.query(
    `select p.name, p.simulator_hash, p.weight, p.parents, p.reason, p.randomization, p.learns, p.failure, p.contribution, s.simulator
       from pools p join simulators s on s.hash = p.simulator_hash
      where p.run_id = $1 and p.round = $2 order by p.position`,
    [runId, row['round']],
  );
  return {
    round: row['round'] as number,
    state: row['state'] as StrategyState,
    episodeRule: row['episode_rule'] as EpisodeRule,
    members: row['members'] as Member[],
    entries: entries.rows.map((entry) => ({
      name: entry['name'] as string,
      simulatorHash: entry['simulator_hash'] as string,
      weight: entry['weight'] as number,
      parents: entry['parents'] as string[],
      reason: entry['reason'] as string,
      randomization: entry['randomization'] as RandomizationRanges,
      learns: entry['learns'] as boolean,
      failure: entry['failure'] as string | null,
      contribution: entry['contribution'] as number | null,
      simulator: entry['simulator'] as SimulatorData,
    })),
  };
}

/** What the episodes of an entry of a pool were played in. */
export interface PlayedEntry {
  readonly simulator: SimulatorData;
  readonly randomization: RandomizationRanges;
}

/** The pools that held in some rounds, each in its order, by round. They feed no training: what was played was played. */
export async function listPlayedEntries(
  database: Database,
  runId: string,
  rounds: readonly number[],
): Promise<Map<number, PlayedEntry[]>> {
  const { rows } = await database.query(
    `select w.round as held, p.randomization, s.simulator
       from unnest($2::integer[]) as w (round)
       join lateral (select max(round) as round from strategy_states where run_id = $1 and round <= w.round) n on true
       join pools p on p.run_id = $1 and p.round = n.round
       join simulators s on s.hash = p.simulator_hash
      order by w.round, p.position`,
    [runId, rounds],
  );
  const entriesOf = (pool: readonly Row[]): PlayedEntry[] =>
    pool.map((row) => ({
      simulator: row['simulator'] as SimulatorData,
      randomization: row['randomization'] as RandomizationRanges,
    }));
  const pools = grouped(rows, (row) => row['held'] as number);
  return new Map([...pools].map(([round, pool]) => [round, entriesOf(pool)]));
}
