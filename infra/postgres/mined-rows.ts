import type { Failure, MinedSimulator } from '../../learning/failures/contract.ts';
import type { SampleColumns } from '../../learning/rollout/sample-log.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import type { Database, Queryable } from './database.ts';
import { insertSamples } from './episode-sample-rows.ts';
import { floatText } from './float-text.ts';

type Hashed<Entry extends { simulator: unknown }> = Omit<Entry, 'simulator'> & { readonly simulatorHash: string };

/** What one mining of the validation panel found, simulators by their hashes. */
export interface MinedRecords {
  readonly simulators: readonly Hashed<MinedSimulator>[];
  /** Their states are left out: the key and the actions give them again. */
  readonly failures: readonly Omit<Hashed<Failure>, 'states'>[];
  readonly samples: SampleColumns;
}

/** Stores what was mined before the decision at the end of a round, in place of what an earlier try at it stored. */
export async function insertMined(
  client: Queryable,
  runId: string,
  round: number,
  { simulators, failures, samples }: MinedRecords,
): Promise<void> {
  await client.query('delete from mined_simulators where run_id = $1 and round = $2', [runId, round]);
  await client.query('delete from failures where run_id = $1 and round = $2', [runId, round]);
  for (const [position, mined] of simulators.entries()) {
    await client.query(
      `insert into mined_simulators (run_id, round, position, name, simulator_hash, episodes, return_mean, random_mean,
                                     known_mean, known_by, is_impossible)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        runId,
        round,
        position,
        mined.name,
        mined.simulatorHash,
        mined.episodes,
        mined.returnMean,
        mined.randomMean,
        mined.knownMean,
        mined.knownBy,
        mined.isImpossible,
      ],
    );
  }
  for (const [position, failure] of failures.entries()) {
    await client.query(
      `insert into failures (run_id, round, position, name, simulator_hash, episode, key_high, key_low, return, score,
                             key_moment, features, failure_group, is_medoid, actions, rewards, critic_values)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
      [
        runId,
        round,
        position,
        failure.name,
        failure.simulatorHash,
        failure.episode,
        failure.key.high,
        failure.key.low,
        failure.return,
        failure.score,
        failure.keyMoment,
        failure.features.map(floatText),
        failure.group,
        failure.isMedoid,
        JSON.stringify(failure.actions),
        failure.rewards.map(floatText),
        failure.values.map(floatText),
      ],
    );
  }
  await insertSamples(client, runId, { round, source: 'mining' }, samples);
}

/** The simulators that were mined before the decision at the end of a round, in their order. */
export async function listMinedData(database: Database, runId: string, round: number): Promise<SimulatorData[]> {
  const { rows } = await database.query(
    `select s.simulator from mined_simulators m join simulators s on s.hash = m.simulator_hash
      where m.run_id = $1 and m.round = $2 order by m.position`,
    [runId, round],
  );
  return rows.map((row) => row['simulator'] as SimulatorData);
}

/** Returns of the episodes of earlier minings, by name of the simulator, the oldest mining first. */
export async function listMinedReturns(
  database: Database,
  runId: string,
  { before }: { before: number },
): Promise<Record<string, number[][]>> {
  const { rows } = await database.query(
    `select m.name, array_agg(e.return order by e.place) as returns
       from mined_simulators m
       join episode_samples s on s.run_id = m.run_id and s.round = m.round and s.source = 'mining'
      cross join unnest(s.positions, s.returns) with ordinality as e (position, return, place)
      where m.run_id = $1 and m.round < $2 and e.position = m.position
      group by m.round, m.position, m.name order by m.round, m.position`,
    [runId, before],
  );
  const byName: Record<string, number[][]> = {};
  for (const row of rows) (byName[row['name'] as string] ??= []).push(row['returns'] as number[]);
  return byName;
}
