import type { CollapseScores, Verdict } from '../../learning/collapse.ts';
import type { RunState } from '../../schemas/records.ts';
import type { Database, Row } from './database.ts';

/** One run in the result table. What is not measured, or not yet, is null. */
export interface ResultRow {
  readonly runId: string;
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  readonly reason: string | null;
  readonly attempts: number;
  readonly envSteps: number;
  /** Completed rounds of the checkpoint that was best on validation. */
  readonly bestRound: number | null;
  readonly last: CollapseScores | null;
  readonly best: CollapseScores | null;
  readonly peakRssMib: number | null;
  readonly wallS: number | null;
  readonly programVersion: string | null;
}

/** A simulator in the pool of a run, from a round on. */
export interface PoolRow {
  readonly variant: string;
  readonly seed: number;
  readonly round: number;
  readonly name: string;
  readonly simulatorHash: string;
  readonly weight: number;
  readonly parents: readonly string[];
  readonly reason: string;
}

/** A policy that a finished run left. */
export interface PolicyRow {
  readonly variant: string;
  readonly seed: number;
  /** The group of seats it acts for. */
  readonly group: string;
  readonly hash: string;
}

/** A SKIPPED run has no rows of its own: it shows those of the equal run that was finished before. */
const SOURCE = `(select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
  join variants v on v.experiment_id = r.experiment_id and v.name = r.variant`;

const SCORE_COLUMNS = {
  trainReturn: 'train_return',
  validationReturn: 'validation_return',
  heldoutReturn: 'heldout_return',
  worstHeldout: 'worst_heldout',
  cvarHeldout: 'cvar_heldout',
  heldoutStd: 'heldout_std',
  collapseGap: 'collapse_gap',
  relativeGap: 'relative_gap',
  trainGain: 'train_gain',
  heldoutGain: 'heldout_gain',
  visitationDivergence: 'visitation_divergence',
} as const;

/** Every run of an experiment, whatever its state, variant by variant in the order of the spec. */
export async function listResultRows(database: Database, experimentId: string): Promise<ResultRow[]> {
  const scores = (checkpoint: string) =>
    ['verdict', ...Object.values(SCORE_COLUMNS)].map((column) => `${checkpoint}.${column} as ${checkpoint}_${column}`);
  const join = (checkpoint: string) =>
    `left join lateral (select * from checkpoint_scores where run_id = r.source_id and checkpoint = '${checkpoint}'
                         order by round desc limit 1) ${checkpoint} on true`;
  const { rows } = await database.query(
    `select r.id, r.variant, r.seed, r.state, r.reason, coalesce(f.env_steps, r.env_steps) as env_steps, f.best_round,
            (select count(*) from attempts where run_id = r.id) as attempts,
            coalesce(f.peak_rss_mib, (select max(peak_rss_mib) from attempts where run_id = r.id)) as peak_rss_mib,
            coalesce(f.wall_s, (select sum(wall_s) from rounds where run_id = r.id)) as wall_s, f.program_version,
            ${[...scores('last'), ...scores('best')].join(', ')}
       from ${SOURCE}
       left join results f on f.run_id = r.source_id
       ${join('last')} ${join('best')}
      order by v.position, r.seed`,
    [experimentId],
  );
  return rows.map(resultFromRow);
}

function resultFromRow(row: Row): ResultRow {
  return {
    runId: row['id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    reason: row['reason'] as string | null,
    attempts: row['attempts'] as number,
    envSteps: row['env_steps'] as number,
    bestRound: row['best_round'] as number | null,
    last: scoresFromRow(row, 'last'),
    best: scoresFromRow(row, 'best'),
    peakRssMib: row['peak_rss_mib'] as number | null,
    wallS: row['wall_s'] as number | null,
    programVersion: row['program_version'] as string | null,
  };
}

/** Null when the checkpoint was not evaluated; every panel is optional, but an evaluation has at least one. */
function scoresFromRow(row: Row, checkpoint: 'last' | 'best'): CollapseScores | null {
  const numbers = Object.entries(SCORE_COLUMNS).map(([key, column]) => [key, row[`${checkpoint}_${column}`]] as const);
  if (numbers.every(([, value]) => value === null)) return null;
  const verdict = row[`${checkpoint}_verdict`] as Verdict | null;
  return { ...(Object.fromEntries(numbers) as unknown as Omit<CollapseScores, 'verdict'>), verdict };
}

/** The pools that runs trained on, each from the round on in which it was chosen. */
export async function listPools(database: Database, experimentId: string): Promise<PoolRow[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, p.round, p.name, p.simulator_hash, p.weight, p.parents, p.reason
       from ${SOURCE} join pools p on p.run_id = r.source_id
      order by v.position, r.seed, p.round, p.position`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    round: row['round'] as number,
    name: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
    weight: row['weight'] as number,
    parents: row['parents'] as string[],
    reason: row['reason'] as string,
  }));
}

/** Policies of the runs that are finished; their bytes are artifacts. */
export async function listPolicies(database: Database, experimentId: string): Promise<PolicyRow[]> {
  const { rows } = await database.query(
    `select distinct on (v.position, r.seed, a.kind) r.variant, r.seed, substr(a.kind, 8) as policy_group, a.hash
       from ${SOURCE} join artifacts a on a.run_id = r.source_id and a.kind like 'policy:%'
      order by v.position, r.seed, a.kind, a.round desc`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    group: row['policy_group'] as string,
    hash: row['hash'] as string,
  }));
}
