import type { ResultRow } from '../infra/postgres/result-rows.ts';
import { mean } from '../learning/moments.ts';
import { countText } from './quantity-text.ts';
import { groupRows } from './result-summary.ts';
import { totalEnvSteps } from './run-costs.ts';

const EQUAL = {
  training: 'Runs are compared at equal training steps.',
  all: 'Runs are compared at equal total steps: training, scoring and mining.',
} as const;

/** At equal what the runs of a table are compared, and which variants took more than they trained for. */
export function comparabilityText(rows: readonly ResultRow[]): string {
  const counts = new Set(rows.map(({ budget }) => budget.count));
  const lengths = new Set(rows.map(({ budget }) => budget.env_steps));
  const [count] = counts;
  const sentence =
    counts.size > 1
      ? 'Budgets differ in which steps they count: some count training steps, others scoring and mining as well.'
      : lengths.size > 1
        ? 'Budgets differ in their env steps: runs are not compared at equal steps.'
        : EQUAL[count ?? 'training'];
  const totals = [...groupRows(rows, ({ variant }) => variant)].flatMap(([variant, group]) =>
    totalText(variant, group),
  );
  return totals.length === 0 ? sentence : `${sentence} With scoring and mining a run took: ${totals.join(', ')}.`;
}

function totalText(variant: string, rows: readonly ResultRow[]): string[] {
  const counted = rows.filter(({ costs }) => costs !== null);
  const extra = counted.some((row) => totalEnvSteps(row) !== row.envSteps);
  return extra ? [`${variant} ${countText(mean(counted.map((row) => totalEnvSteps(row)!)))}`] : [];
}
