import type { EpisodeSummary } from '../../learning/rollout/episode-tally.ts';
import type { Candidate, Eviction, Judgement } from '../../learning/strategies/contract.ts';
import type { Queryable, Row } from './database.ts';

/** A simulator that might have entered the pool, and what the strategy thought of it. */
export interface CandidateRecord extends Omit<Candidate, 'simulator'>, Omit<Judgement, 'candidate'> {
  readonly simulatorHash: string;
  /** The episodes that were played to judge it; null for none. */
  readonly probe: EpisodeSummary | null;
}

/** A candidate as its row tells it. */
export interface StoredCandidate {
  readonly name: string;
  readonly simulatorHash: string;
  /** The decision that it was weighed at: rounds completed. */
  readonly round: number;
  readonly parents: readonly string[];
  readonly origin: string;
  readonly failure: string | null;
  /** NaN where it was not scored, as novelty where nobody asked for it. */
  readonly score: number;
  readonly novelty: number;
  readonly probeEpisodes: number;
  readonly probeReturn: number;
  /** Null for what entered. */
  readonly refusal: string | null;
}

/** An entry of the pool before that a decision let go. */
export interface EvictionRecord extends Eviction {
  readonly simulatorHash: string;
}

/** Stores the candidates of a decision in place of those of an earlier try at it. */
export async function insertCandidates(
  client: Queryable,
  runId: string,
  round: number,
  candidates: readonly CandidateRecord[],
): Promise<void> {
  await client.query('delete from candidates where run_id = $1 and round = $2', [runId, round]);
  // In one statement: a decision may weigh a thousand of them.
  await client.query(
    `insert into candidates (run_id, round, position, name, simulator_hash, parents, origin, failure, score, novelty,
                             probe_episodes, probe_return, refusal)
     select $1, $2, c.position - 1, c.name, c.simulator_hash, c.parents, c.origin, c.failure, c.score::float8, c.novelty::float8,
            c.probe_episodes, c.probe_return::float8, c.refusal
       from rows from (json_to_recordset($3) as (name text, simulator_hash text, parents json, origin text, failure text,
              score text, novelty text, probe_episodes integer, probe_return text, refusal text)) with ordinality
         as c (name, simulator_hash, parents, origin, failure, score, novelty, probe_episodes, probe_return, refusal, position)`,
    [
      runId,
      round,
      JSON.stringify(
        candidates.map(({ name, simulatorHash, parents, origin, failure, score, novelty, probe, refusal }) => ({
          name,
          simulator_hash: simulatorHash,
          parents,
          origin,
          failure,
          // As text, because JSON has no NaN.
          score: String(score),
          novelty: String(novelty),
          probe_episodes: probe?.episodes ?? 0,
          probe_return: String(probe?.returnMean ?? NaN),
          refusal,
        })),
      ),
    ],
  );
}

/** Stores what a decision let go, in place of what an earlier try at it did. */
export async function insertEvictions(
  client: Queryable,
  runId: string,
  round: number,
  evictions: readonly EvictionRecord[],
): Promise<void> {
  await client.query('delete from evictions where run_id = $1 and round = $2', [runId, round]);
  for (const [position, { name, simulatorHash, contribution, reason }] of evictions.entries()) {
    await client.query(
      `insert into evictions (run_id, round, position, name, simulator_hash, contribution, reason)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [runId, round, position, name, simulatorHash, contribution, reason],
    );
  }
}

/** @param row of `candidates`, all columns but the run and the position */
export function candidateFromRow(row: Row): StoredCandidate {
  return {
    name: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
    round: row['round'] as number,
    parents: row['parents'] as string[],
    origin: row['origin'] as string,
    failure: row['failure'] as string | null,
    score: row['score'] as number,
    novelty: row['novelty'] as number,
    probeEpisodes: row['probe_episodes'] as number,
    probeReturn: row['probe_return'] as number,
    refusal: row['refusal'] as string | null,
  };
}
