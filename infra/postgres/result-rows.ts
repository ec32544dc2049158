import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';
import type { Verdict } from '../../learning/measures/collapse.ts';
import type { CostSums, ResultRow } from '../../learning/results/result-row.ts';
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

const LAST = scoreList('last');
const BEST = scoreList('best');

function scoreList(checkpoint: 'last' | 'best'): string {
  const columns = ['verdict', ...Object.values(SCORE_COLUMNS)];
  return columns.map((column) => `${checkpoint}.${column} as ${checkpoint}_${column}`).join(', ');
}

/**
 * The runs with what their variants are, and the run whose rows they show: a SKIPPED run has none of its own. The documents of
 * experiment and variants are read once and not for each run: of 2 000 runs that took nine tenths of the time.
 */
const RUNS = `
  spec as materialized (select resolved -> 'specialists' as specialists from experiments where id = $1),
  planned as materialized (
    select name, position, resolved -> 'budget' as budget, specialists ->> name as specialist
      from variants, spec where experiment_id = $1),
  shown as materialized (
    select r.*, coalesce(r.same_as, r.id) as source_id, p.position as variant_position, p.budget, p.specialist
      from runs r join planned p on p.name = r.variant where r.experiment_id = $1)`;

/** Of `TestReturn`: by run, in the order of the test panel. Sums go by seed, so that no plan of the database shows. */
const TEST_RETURNS = `
  finals as materialized (
    select r.id as run_id, r.seed, r.specialist, e.panel, e.position, e.simulator_hash, e.return_mean
      from shown r join evaluations e on e.run_id = r.source_id and e.checkpoint = 'last'
     where $2 = 'last' and (e.panel = 'test' or (e.panel = 'train' and r.specialist = 'each'))),
  specialists as (select * from finals where specialist = 'each' and panel = 'train'),
  specialist_means as (
    select simulator_hash, avg(return_mean order by seed) as return_mean from specialists group by simulator_hash),
  test_returns as (
    select f.run_id, array_agg(f.return_mean order by f.position) as own_returns,
           array_agg(coalesce(s.return_mean, m.return_mean) order by f.position) as specialist_returns
      from finals f
      left join specialists s on s.simulator_hash = f.simulator_hash and s.seed = f.seed
      left join specialist_means m on m.simulator_hash = f.simulator_hash
     where f.panel = 'test'
     group by f.run_id)`;

/** Of `adaptWallShare`. */
const ADAPT_WALL_SHARE = `
  select coalesce(sum(seconds) filter (where kind = 'adapt_pool'), 0) / nullif(sum(seconds), 0) as adapt_wall_share
    from (select kind, extract(epoch from ended_at - started_at)::double precision as seconds
            from attempts where run_id = r.source_id) timed`;

/**
 * Every run of an experiment, whatever its state, variant by variant in the order of the spec.
 * @param round which checkpoint `last` is of; what specialists say is only known of the last one
 */
export async function listResultRows(
  database: Database,
  experimentId: string,
  round: RoundChoice = 'last',
): Promise<ResultRow[]> {
  const [checkpoint, roundNumber] = typeof round === 'number' ? ['round', round] : [round, null];
  const costs = await sumCosts(database, experimentId);
  const { rows } = await database.query(
    `with ${RUNS}, ${TEST_RETURNS}
     select r.id, r.variant, r.seed, r.state, r.reason, coalesce(f.env_steps, r.env_steps) as env_steps, f.best_round,
            r.budget, r.specialist, t.own_returns, t.specialist_returns,
            (select count(*) from attempts where run_id = r.id) as attempts,
            coalesce(f.peak_rss_mib, (select max(peak_rss_mib) from attempts where run_id = r.id)) as peak_rss_mib,
            coalesce(f.wall_s, (select sum(wall_s) from rounds where run_id = r.id)) as wall_s, a.adapt_wall_share,
            f.program_version, f.rise_then_fall, f.fall, f.auc, f.roughness, ${LAST}, ${BEST}
       from shown r
       left join results f on f.run_id = r.source_id
       left join test_returns t on t.run_id = r.id
       left join lateral (${ADAPT_WALL_SHARE}) a on true
       left join lateral (select * from checkpoint_scores
                           where run_id = r.source_id and checkpoint = $2 and ($3::int is null or round = $3)
                           order by round desc limit 1) last on true
       left join lateral (select * from checkpoint_scores where run_id = r.source_id and checkpoint = 'best'
                           order by round desc limit 1) best on true
      order by r.variant_position, r.seed`,
    [experimentId, checkpoint, roundNumber],
  );
  return rows.map((row) => resultFromRow(row, costs.get(row['id'] as string) ?? null));
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

function resultFromRow(row: Row, costs: CostSums | null): ResultRow {
  const specialistReturns = row['specialist_returns'] as readonly (number | null)[] | null;
  return {
    runId: row['id'] as string,
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    state: row['state'] as RunState,
    reason: row['reason'] as string | null,
    attempts: row['attempts'] as number,
    envSteps: row['env_steps'] as number,
    budget: row['budget'] as ResultRow['budget'],
    costs,
    specialist: row['specialist'] as ResultRow['specialist'],
    testReturns: ((row['own_returns'] ?? []) as readonly number[]).map((own, index) => ({
      own,
      specialist: specialistReturns![index]!,
    })),
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

/** Null when the checkpoint was not evaluated; every panel is optional, but an evaluation has at least one. */
function scoresFromRow(row: Row, checkpoint: 'last' | 'best'): CheckpointScores | null {
  const numbers = Object.entries(SCORE_COLUMNS).map(([key, column]) => [key, row[`${checkpoint}_${column}`]] as const);
  if (numbers.every(([, value]) => value === null)) return null;
  const verdict = row[`${checkpoint}_verdict`] as Verdict | null;
  return { ...(Object.fromEntries(numbers) as unknown as Omit<CheckpointScores, 'verdict'>), verdict };
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
