import type { CostPurpose, ResultRow } from './result-row.ts';

/** Column of the env steps that a run took for one purpose. */
export function costOf(purpose: CostPurpose): (row: ResultRow) => number | null {
  return ({ costs }) => (costs === null ? null : costs[purpose]);
}

/** What a run took to learn: all but the evaluations, which only measure and which every run has. */
export function totalEnvSteps({ costs }: Pick<ResultRow, 'costs'>): number | null {
  return costs === null ? null : costs.training + costs.scoring + costs.mining;
}

/** Of what a run took to learn, the share that nobody learnt from, because it was played to decide on the pool. */
export function adaptEnvStepsShare({ costs }: Pick<ResultRow, 'costs'>): number | null {
  const total = totalEnvSteps({ costs });
  return costs === null || total === null || total === 0 ? null : (costs.scoring + costs.mining) / total;
}
