import type { ResultRow } from './result-row.ts';
import type { Cell, Column } from './column.ts';
import type { CheckpointScores } from '../measures/checkpoint-scores.ts';
import { adaptEnvStepsShare, costOf, totalEnvSteps } from './run-costs.ts';
import { specialistRegret } from './specialist-regret.ts';

/** Columns of what was measured of a checkpoint. */
export const SCORES: readonly (readonly [key: string, score: keyof CheckpointScores])[] = [
  ['train_return', 'trainReturn'],
  ['validation_return', 'validationReturn'],
  ['heldout_return', 'heldoutReturn'],
  ['worst_heldout', 'worstHeldout'],
  ['cvar_heldout', 'cvarHeldout'],
  ['heldout_std', 'heldoutStd'],
  ['collapse_gap', 'collapseGap'],
  ['relative_gap', 'relativeGap'],
  ['verdict', 'verdict'],
  ['visitation_divergence', 'visitationDivergence'],
  ['zero_variance_share', 'zeroVarianceShare'],
  ['policy_entropy', 'policyEntropy'],
  ['dwelling', 'dwelling'],
  ['indifference', 'indifference'],
  // What a variant's gap is summed from: without these no reader of the rows could compute it.
  ['train_gain', 'trainGain'],
  ['heldout_gain', 'heldoutGain'],
];

function scoreColumns(checkpoint: 'last' | 'best', prefix: string): Column<ResultRow>[] {
  return SCORES.map(([key, score]) => ({
    key: `${prefix}${key}`,
    ...(score !== 'verdict' && MEASURE),
    value: (row) => row[checkpoint]?.[score] ?? null,
  }));
}

const MEASURE = { kind: 'measure', align: 'right' } as const;
const COUNT = { kind: 'count', align: 'right' } as const;

/** Columns of a run's row in JSON and CSV: without a prefix of the last checkpoint, with `best_` of the best on validation. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  { key: 'variant', value: (row) => row.variant },
  { key: 'seed', align: 'right', value: (row) => row.seed },
  { key: 'state', value: (row) => row.state },
  { key: 'attempts', ...COUNT, value: (row) => row.attempts },
  { key: 'env_steps', ...COUNT, value: (row) => row.envSteps },
  { key: 'best_round', ...COUNT, value: (row) => row.bestRound },
  ...scoreColumns('last', ''),
  { key: 'specialist_regret', ...MEASURE, value: specialistRegret },
  { key: 'rise_then_fall', value: ({ measures }) => measures.riseThenFall },
  { key: 'fall', ...MEASURE, value: ({ measures }) => measures.fall },
  { key: 'auc', ...MEASURE, value: ({ measures }) => measures.auc },
  { key: 'roughness', ...MEASURE, value: ({ measures }) => measures.roughness },
  { key: 'peak_rss_mib', ...MEASURE, value: (row) => row.peakRssMib },
  { key: 'wall_s', ...MEASURE, value: (row) => row.wallS },
  { key: 'reason', value: (row) => row.reason },
  { key: 'training_env_steps', ...COUNT, value: costOf('training') },
  { key: 'scoring_env_steps', ...COUNT, value: costOf('scoring') },
  { key: 'mining_env_steps', ...COUNT, value: costOf('mining') },
  { key: 'evaluation_env_steps', ...COUNT, value: costOf('evaluation') },
  { key: 'total_env_steps', ...COUNT, value: totalEnvSteps },
  { key: 'adapt_env_steps_share', ...MEASURE, value: adaptEnvStepsShare },
  { key: 'adapt_wall_share', ...MEASURE, value: (row) => row.adaptWallShare },
  ...scoreColumns('best', 'best_'),
  { key: 'program_version', value: (row) => row.programVersion },
];

const NOT_METRICS = [
  'variant',
  'seed',
  'state',
  'verdict',
  'best_verdict',
  'reason',
  'rise_then_fall',
  'program_version',
];

/** Columns that can be averaged over seeds. */
export const METRICS: readonly string[] = RESULT_COLUMNS.map(({ key }) => key).filter(
  (key) => !NOT_METRICS.includes(key),
);

const COLUMN_OF = new Map(RESULT_COLUMNS.map((column) => [column.key, column]));

/** A run's value of a metric; null when it is not measured. */
export function metricValue(row: ResultRow, metric: string): number | null {
  const cell: Cell = COLUMN_OF.get(metric)!.value(row);
  return cell as number | null;
}
