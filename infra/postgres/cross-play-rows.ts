import type { Database } from './database.ts';

/** A pair of runs that has played. */
export interface CrossPlayRecord {
  readonly rowVariant: string;
  readonly rowSeed: number;
  readonly columnVariant: string;
  readonly columnSeed: number;
  /** Hash of all that the return depends on. */
  readonly playHash: string;
  readonly simulatorHash: string;
  /** Group of seats → hash of the policy's file. */
  readonly learnerArtifacts: Readonly<Record<string, string>>;
  readonly partnerArtifacts: Readonly<Record<string, string>>;
  readonly evaluationSeed: number;
  readonly episodes: number;
  readonly returnMean: number;
  readonly returnStd: number;
}

export type ReturnMoments = Pick<CrossPlayRecord, 'returnMean' | 'returnStd'>;

/** What is known of some plays, in whatever experiment, by their hash. */
export async function findPlays(
  database: Database,
  playHashes: readonly string[],
): Promise<Map<string, ReturnMoments>> {
  const { rows } = await database.query(
    `select distinct on (play_hash) play_hash, return_mean, return_std from cross_play
      where play_hash = any($1) order by play_hash`,
    [playHashes],
  );
  return new Map(
    rows.map((row) => [
      row['play_hash'] as string,
      { returnMean: row['return_mean'] as number, returnStd: row['return_std'] as number },
    ]),
  );
}

/** Stores pairs of an experiment. Whoever plays them gets the same numbers, so it does not matter who is first. */
export async function insertPlays(
  database: Database,
  experimentId: string,
  records: readonly CrossPlayRecord[],
): Promise<void> {
  await database.query(
    `insert into cross_play (experiment_id, row_variant, seed, column_variant, column_seed, play_hash, simulator_hash,
                             learner_artifacts, partner_artifacts, evaluation_seed, episodes, return_mean, return_std)
     select $1, p.* from json_to_recordset($2) as p (
       "rowVariant" text, "rowSeed" bigint, "columnVariant" text, "columnSeed" bigint, "playHash" text,
       "simulatorHash" text, "learnerArtifacts" json, "partnerArtifacts" json, "evaluationSeed" bigint,
       episodes integer, "returnMean" float8, "returnStd" float8)
     on conflict do nothing`,
    [experimentId, JSON.stringify(records, (_key, value: unknown) => (Number.isNaN(value) ? 'NaN' : value))],
  );
}

/** How the pairs of an experiment played; of a pair that played more than once, where it played most episodes. */
export async function listPlays(
  database: Database,
  experimentId: string,
): Promise<Pick<CrossPlayRecord, 'rowVariant' | 'rowSeed' | 'columnVariant' | 'columnSeed' | 'returnMean'>[]> {
  const { rows } = await database.query(
    `select distinct on (row_variant, seed, column_variant, column_seed)
            row_variant, seed, column_variant, column_seed, return_mean
       from cross_play where experiment_id = $1
      order by row_variant, seed, column_variant, column_seed, episodes desc, play_hash`,
    [experimentId],
  );
  return rows.map((row) => ({
    rowVariant: row['row_variant'] as string,
    rowSeed: row['seed'] as number,
    columnVariant: row['column_variant'] as string,
    columnSeed: row['column_seed'] as number,
    returnMean: row['return_mean'] as number,
  }));
}

/** The policies of a run that is finished; their bytes are artifacts. */
export interface RunPolicyRow {
  readonly variant: string;
  readonly seed: number;
  /** Whether it was trained for the learners' seats, or along with them for those of partners. */
  readonly kind: 'policy' | 'partner';
  /** The group of seats it acts for. */
  readonly group: string;
  readonly hash: string;
}

/** The last policies of every finished run of an experiment, in the order of the spec; SKIPPED runs show their equal's. */
export async function listRunPolicies(database: Database, experimentId: string): Promise<RunPolicyRow[]> {
  const { rows } = await database.query(
    `select distinct on (v.position, r.seed, a.kind) r.variant, r.seed, split_part(a.kind, ':', 1) as holder,
            split_part(a.kind, ':', 2) as seat_group, a.hash
       from runs r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join results f on f.run_id = coalesce(r.same_as, r.id)
       join artifacts a on a.run_id = f.run_id and split_part(a.kind, ':', 1) in ('policy', 'partner')
      where r.experiment_id = $1
      order by v.position, r.seed, a.kind, a.round desc`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    kind: row['holder'] as RunPolicyRow['kind'],
    group: row['seat_group'] as string,
    hash: row['hash'] as string,
  }));
}
