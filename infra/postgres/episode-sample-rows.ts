import type { SampleColumns } from '../../learning/rollout/sample-log.ts';
import type { Database, Queryable } from './database.ts';
import { floatText } from './float-text.ts';

/** Which episodes: those that the round trained on, or those mined before the decision at its end. */
export interface SampleSource {
  /** Rounds completed, the one that was trained included. */
  readonly round: number;
  readonly source: 'training' | 'mining';
}

export type StoredSamples = SampleSource & SampleColumns;

/**
 * Stores episodes one by one. Storing those of a training twice is storing them once; mined ones take the place of what an
 * earlier try at the mining stored, as the rest of what was mined does.
 */
export async function insertSamples(
  client: Queryable,
  runId: string,
  { round, source }: SampleSource,
  { positions, drawn, returns, successes, shortfalls }: SampleColumns,
): Promise<void> {
  if (source === 'mining') {
    await client.query('delete from episode_samples where run_id = $1 and round = $2 and source = $3', [
      runId,
      round,
      source,
    ]);
  }
  await client.query(
    `insert into episode_samples (run_id, round, source, positions, drawn, returns, successes, shortfalls)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (run_id, round, source) do nothing`,
    [
      runId,
      round,
      source,
      positions,
      drawn.map(floatText),
      returns.map(floatText),
      successes,
      shortfalls.map(floatText),
    ],
  );
}

/**
 * The newest episodes of a run up to a round: whole rounds, the newest first, until there are `count`. What was mined at the
 * end of a round is newer than what was trained on in it.
 */
export async function listSamples(
  database: Database,
  runId: string,
  { upTo, count }: { upTo: number; count: number },
): Promise<StoredSamples[]> {
  const { rows } = await database.query(
    // Whole rows are read only of the rounds that are told: the rest of a long run is only counted.
    `with sizes as (
       select round, source, sum(cardinality(positions)) over (order by round desc, source collate "C") - cardinality(positions) as newer
         from episode_samples where run_id = $1 and round <= $2)
     select round, source, to_json(positions) as positions, to_json(drawn) as drawn, to_json(returns) as returns,
            to_json(successes) as successes, to_json(shortfalls) as shortfalls
       from sizes join episode_samples using (round, source)
      where run_id = $1 and newer < $3
      order by round desc, source collate "C"`,
    [runId, upTo, count],
  );
  return rows.map((row) => ({
    round: row['round'] as number,
    source: row['source'] as SampleSource['source'],
    positions: row['positions'] as number[],
    drawn: numbersFrom(row['drawn']),
    returns: numbersFrom(row['returns']),
    successes: row['successes'] as boolean[],
    shortfalls: numbersFrom(row['shortfalls']),
  }));
}

/** Lists of thousands are read as JSON, which takes a fifth of the time of arrays; it has words for NaN and infinities. */
function numbersFrom(list: unknown): number[] {
  return (list as (number | string)[]).map(Number);
}
