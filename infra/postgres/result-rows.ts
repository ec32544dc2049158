import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';
import type { CostSums, ResultRow, TestReturn } from '../../learning/results/result-row.ts';
import type { RoundChoice } from '../../learning/results/round-choice.ts';
import type { RunState } from '../../schemas/records.ts';
import { sumCosts } from './cost-rows.ts';
import type { Database, Row } from './database.ts';

/** A policy that a finished run left. */
export interface PolicyRow {
  readonly variant: string;
  readonly seed: number;
  /** The group of seats it acts for. */
  readonly group: string;
  readonly hash: string;
}

/** What of a checkpoint is a number. */
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
  zeroVarianceShare: 'zero_variance_share',
  policyEntropy: 'policy_entropy',
  dwelling: 'dwelling',
  indifference: 'indifference',
} as const;

/** Scores of a checkpoint as a select names them: those of the columns asked for, and whether there are any. */
function scoreList(checkpoint: 'last' | 'best', columns: readonly string[] | null): string {
  const prefix = checkpoint === 'best' ? 'best_' : '';
  const asked = Object.values(SCORE_COLUMNS).filter((column) => columns?.includes(`${prefix}${column}`) ?? true);
  return ['verdict', 'round', ...asked]
    .map((column) => `${checkpoint}.${column} as ${checkpoint}_${column}`)
    .join(', ');
}

/**
 * The runs of an experiment, and the run whose rows each shows: a SKIPPED run has none of its own. The documents of experiment and
 * variants are read once and not for each run: of 2 000 runs that took nine tenths of the time.
 */
const RUNS = `
  spec as materialized (select resolved -> 'specialists' as specialists from experiments where id = $1),
  planned as materialized (
    select name, position, resolved -> 'budget' as budget, specialists ->> name as specialist
      from variants, spec where experiment_id = $1),
  shown as materialized (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1)`;

/** Where parts of a row come from that take long to read, by the columns of the result table that need them. */
const PARTS = {
  costs: (key: string) => key.endsWith('_env_steps') || key === 'adapt_env_steps_share',
  attempts: (key: string) => ['attempts', 'peak_rss_mib', 'adapt_wall_share'].includes(key),
  specialists: (key: string) => key === 'specialist_regret',
  best: (key: string) => key.startsWith('best_') && key !== 'best_round',
} as const satisfies Record<string, (key: string) => boolean>;

function partsOf(columns: readonly string[] | null): Readonly<Record<keyof typeof PARTS, boolean>> {
  const isNeeded = (part: keyof typeof PARTS): boolean => columns === null || columns.some(PARTS[part]);
  return {
    costs: isNeeded('costs'),
    attempts: isNeeded('attempts'),
    specialists: isNeeded('specialists'),
    best: isNeeded('best'),
  };
}

/**
 * Every run of an experiment, whatever its state, variant by variant in the order of the spec.
 *
 * What is asked for decides how long it takes. Rows of other tables are looked up run by run (`lateral`, and `offset 0`,
 * which keeps it so): joined as a whole, the planner reads every cost and every evaluation of the database for one experiment,
 * since it cannot tell what share of them `coalesce(same_as, id)` leaves.
 *
 * @param round which checkpoint `last` is of; what specialists say is only known of the last one
 * @param columns of the result table that are looked at; null for all. What only other columns need is null in the rows.
 */
export async function listResultRows(
  database: Database,
  experimentId: string,
  round: RoundChoice = 'last',
  columns: readonly string[] | null = null,
): Promise<ResultRow[]> {
  return resultRows(database, experimentId, { round, columns, runId: null });
}

/** The row of one run, with all columns. @param id of the run and of its experiment, which both are there */
export async function findResultRow(
  database: Database,
  id: { readonly experimentId: string; readonly runId: string },
): Promise<ResultRow> {
  const [row] = await resultRows(database, id.experimentId, { round: 'last', columns: null, runId: id.runId });
  return row!;
}

interface AskedRows {
  readonly round: RoundChoice;
  readonly columns: readonly string[] | null;
  /** Null for all. */
  readonly runId: string | null;
}

async function resultRows(
  database: Database,
  experimentId: string,
  { round, columns, runId }: AskedRows,
): Promise<ResultRow[]> {
  const [checkpoint, roundNumber] = typeof round === 'number' ? ['round', round] : [round, null];
  const parts = partsOf(columns);
  const lastScores = scoreList('last', columns);
  const bestScores = scoreList('best', columns);
  const { rows } = await database.query(
    `with ${RUNS}
     select r.id, r.variant, r.seed, r.state, r.reason, coalesce(f.env_steps, r.env_steps) as env_steps, f.best_round,
            p.budget, p.specialist, a.attempts, coalesce(f.peak_rss_mib, a.peak_rss_mib) as peak_rss_mib,
            coalesce(f.wall_s, (select sum(wall_s) from rounds where run_id = r.id)) as wall_s, a.adapt_wall_share,
            f.program_version, f.rise_then_fall, f.fall, f.auc, f.roughness, ${lastScores}, ${bestScores}
       from shown r
       join planned p on p.name = r.variant
       left join lateral (select * from results where run_id = r.source_id offset 0) f on true
       left join lateral (${ATTEMPTS}) a on $4
       left join lateral (select * from checkpoint_scores
                           where run_id = r.source_id and checkpoint = $2 and ($3::int is null or round = $3)
                           order by round desc limit 1) last on true
       left join lateral (select * from checkpoint_scores where run_id = r.source_id and checkpoint = 'best'
                           order by round desc limit 1) best on $5
      where $6::text is null or r.id = $6
      order by p.position, r.seed`,
    [experimentId, checkpoint, roundNumber, parts.attempts, parts.best, runId],
  );
  const costs = parts.costs ? await sumCosts(database, experimentId, runId) : null;
  // One run does not tell whether others are specialists.
  const hasSpecialists = runId !== null || rows.some((row) => row['specialist'] !== null);
  const testReturns =
    parts.specialists && hasSpecialists && round === 'last' ? await listTestReturns(database, experimentId) : null;
  return rows.map((row) => {
    const id = row['id'] as string;
    return resultFromRow(row, costs?.get(id) ?? null, testReturns?.get(id) ?? []);
  });
}

/** Of the run itself how many and how large they were; of the run that it shows, what share of their time decisions took. */
const ATTEMPTS = `
  select count(*) filter (where run_id = r.id) as attempts, max(peak_rss_mib) filter (where run_id = r.id) as peak_rss_mib,
         coalesce(sum(seconds) filter (where run_id = r.source_id and kind = 'adapt_pool'), 0)
           / nullif(sum(seconds) filter (where run_id = r.source_id), 0) as adapt_wall_share
    from (select run_id, kind, peak_rss_mib, extract(epoch from ended_at - started_at)::double precision as seconds
            from attempts where run_id in (r.id, r.source_id)) timed`;

/**
 * What the runs of an experiment got on their test simulators, beside specialists: by run, in the order of the test panel. Sums go
 * by seed, so that no plan of the database shows.
 */
async function listTestReturns(database: Database, experimentId: string): Promise<ReadonlyMap<string, TestReturn[]>> {
  const { rows } = await database.query(
    `with ${RUNS},
     finals as materialized (
       select r.id as run_id, r.seed, p.specialist, e.*
         from shown r
         join planned p on p.name = r.variant
        cross join lateral (
          select panel, position, simulator_hash, return_mean from evaluations
           where run_id = r.source_id and checkpoint = 'last'
             and (panel = 'test' or (panel = 'train' and p.specialist = 'each')) offset 0) e),
     specialists as (select * from finals where specialist = 'each' and panel = 'train'),
     specialist_means as (
       select simulator_hash, avg(return_mean order by seed) as return_mean from specialists group by simulator_hash)
     select f.run_id, array_agg(f.return_mean order by f.position) as own_returns,
            array_agg(coalesce(s.return_mean, m.return_mean) order by f.position) as specialist_returns
       from finals f
       left join specialists s on s.simulator_hash = f.simulator_hash and s.seed = f.seed
       left join specialist_means m on m.simulator_hash = f.simulator_hash
      where f.panel = 'test'
      group by f.run_id`,
    [experimentId],
  );
  return new Map(
    rows.map((row) => {
      const specialists = row['specialist_returns'] as readonly (number | null)[];
      const returns = (row['own_returns'] as readonly number[]).map((own, index) => ({
        own,
        specialist: specialists[index]!,
      }));
      return [row['run_id'] as string, returns];
    }),
  );
}

/** The numbers of completed rounds after which some run of an experiment was evaluated, ascending. */
export async function listEvaluatedRounds(database: Database, experimentId: string): Promise<number[]> {
  const { rows } = await database.query(
    `select distinct c.round from runs r
       join checkpoint_scores c on c.run_id = coalesce(r.same_as, r.id) and c.checkpoint = 'round'
      where r.experiment_id = $1 order by c.round`,
    [experimentId],
  );
  return rows.map((row) => row['round'] as number);
}

function resultFromRow(row: Row, costs: CostSums | null, testReturns: readonly TestReturn[]): ResultRow {
  return {
    runId: row['id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    reason: row['reason'] as string | null,
    attempts: (row['attempts'] as number | null) ?? 0,
    envSteps: row['env_steps'] as number,
    budget: row['budget'] as ResultRow['budget'],
    costs,
    specialist: row['specialist'] as ResultRow['specialist'],
    testReturns,
    bestRound: row['best_round'] as number | null,
    last: scoresFromRow(row, 'last'),
    best: scoresFromRow(row, 'best'),
    measures: {
      riseThenFall: row['rise_then_fall'] as boolean | null,
      fall: row['fall'] as number | null,
      auc: row['auc'] as number | null,
      roughness: row['roughness'] as number | null,
    },
    peakRssMib: row['peak_rss_mib'] as number | null,
    wallS: row['wall_s'] as number | null,
    adaptWallShare: row['adapt_wall_share'] as number | null,
    programVersion: row['program_version'] as string | null,
  };
}

/** Names in a row by names of ours; made once, since a table has thousands of rows. */
const SCORE_KEYS = {
  last: Object.entries(SCORE_COLUMNS).map(([key, column]) => [key, `last_${column}`] as const),
  best: Object.entries(SCORE_COLUMNS).map(([key, column]) => [key, `best_${column}`] as const),
};

/** Null when the checkpoint was not evaluated. */
function scoresFromRow(row: Row, checkpoint: 'last' | 'best'): CheckpointScores | null {
  if (row[`${checkpoint}_round`] === null) return null;
  const scores: Record<string, unknown> = { verdict: row[`${checkpoint}_verdict`] };
  for (const [key, column] of SCORE_KEYS[checkpoint]) scores[key] = row[column] ?? null;
  return scores as unknown as CheckpointScores;
}

/** Policies of the runs that are finished; their bytes are artifacts. */
export async function listPolicies(database: Database, experimentId: string): Promise<PolicyRow[]> {
  const { rows } = await database.query(
    `select distinct on (v.position, r.seed, a.kind) r.variant, r.seed, substr(a.kind, 8) as policy_group, a.hash
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join artifacts a on a.run_id = r.source_id and a.kind like 'policy:%'
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
