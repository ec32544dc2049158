import type { Database } from './database.ts';

/** What a run has committed, as somebody sees it who wants to go on. */
export interface CommittedWork {
  readonly runId: string;
  /** Checkpoints after its rounds, the newest first. */
  readonly checkpoints: readonly { readonly round: number; readonly hash: string }[];
  /** Rounds after which it was evaluated, ascending. */
  readonly evaluated: readonly number[];
  /** Rounds at which its strategy has decided, ascending. */
  readonly decided: readonly number[];
  /** An equal run that has succeeded meanwhile; null where there is none. */
  readonly equalTo: string | null;
}

/** What the runs of an experiment have committed, by run. */
export async function listCommittedWork(database: Database, experimentId: string): Promise<Map<string, CommittedWork>> {
  const { rows } = await database.query(
    `select r.id,
            (select coalesce(json_agg(json_build_object('round', c.round, 'hash', c.checkpoint_hash) order by c.round desc), '[]')
               from rounds c where c.run_id = r.id) as checkpoints,
            array(select round from checkpoint_scores where run_id = r.id and checkpoint = 'round' order by round) as evaluated,
            array(select round from strategy_states where run_id = r.id order by round) as decided,
            (select min(o.id) from runs o
              where o.variant_hash = r.variant_hash and o.seed = r.seed and o.state = 'SUCCEEDED' and o.id <> r.id
                and exists (select from costs c where c.run_id = o.id and c.purpose = 'evaluation')) as equal_to
       from runs r where r.experiment_id = $1`,
    [experimentId],
  );
  return new Map(
    rows.map((row) => [
      row['id'] as string,
      {
        runId: row['id'] as string,
        checkpoints: row['checkpoints'] as CommittedWork['checkpoints'],
        evaluated: row['evaluated'] as number[],
        decided: row['decided'] as number[],
        equalTo: row['equal_to'] as string | null,
      },
    ]),
  );
}
