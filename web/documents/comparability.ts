import type { ResultRow } from '../../learning/results/result-row.ts';
import { percent } from '../../learning/diagnosis/figures.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { countText } from './quantity-text.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { totalEnvSteps } from '../../learning/results/run-costs.ts';

const EQUAL = {
  training: 'Runs are compared at equal training steps.',
  all: 'Runs are compared at equal total steps: training, scoring and mining.',
} as const;

/** At equal what the runs of a table are compared, which variants learnt from less than that, and which took more. */
export function comparabilityText(rows: readonly ResultRow[]): string {
  const groups = [...groupRows(rows, ({ variant }) => variant)];
  const shares = groups.flatMap(([variant, group]) => learntShareText(variant, group));
  const totals = groups.flatMap(([variant, group]) => totalText(variant, group));
  return [
    comparedText(rows, shares),
    ...(totals.length === 0 ? [] : [`With scoring and mining a run took: ${totals.join(', ')}.`]),
  ].join(' ');
}

/** @param shares of the variants that did not learn from every step of their training loop */
function comparedText(rows: readonly ResultRow[], shares: readonly string[]): string {
  const counts = new Set(rows.map(({ budget }) => budget.count));
  const lengths = new Set(rows.map(({ budget }) => budget.env_steps));
  const [count = 'training'] = counts;
  const learnt = shares.join(', ');
  if (counts.size === 1 && lengths.size === 1 && count === 'training' && shares.length > 0) {
    return `Runs are compared at equal steps of the training loop; of these, ${learnt}.`;
  }
  const sentence =
    counts.size > 1
      ? 'Budgets differ in which steps they count: some count training steps, others scoring and mining as well.'
      : lengths.size > 1
        ? 'Budgets differ in their env steps: runs are not compared at equal steps.'
        : EQUAL[count];
  return shares.length === 0 ? sentence : `${sentence} Of the steps of the training loop, ${learnt}.`;
}

/** Episodes in simulators that are only scored count as steps of the training loop, and nobody learns from them. */
function learntShareText(variant: string, rows: readonly ResultRow[]): string[] {
  const counted = rows.flatMap(({ costs, envSteps }) => (costs === null ? [] : [{ learnt: costs.training, envSteps }]));
  if (counted.every(({ learnt, envSteps }) => learnt >= envSteps)) return [];
  const learnt = mean(counted.map((run) => run.learnt));
  return [`${variant} learnt from ${percent(learnt / mean(counted.map(({ envSteps }) => envSteps)))}`];
}

function totalText(variant: string, rows: readonly ResultRow[]): string[] {
  const counted = rows.filter(({ costs }) => costs !== null);
  const extra = counted.some((row) => totalEnvSteps(row) !== row.envSteps);
  return extra ? [`${variant} ${countText(mean(counted.map((row) => totalEnvSteps(row)!)))}`] : [];
}
