import { z } from 'zod';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { metricValue } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { confidenceInterval, groupRows, summarize } from '../../learning/results/result-summary.ts';
import { resultsSchema, type Results } from '../contract/results.ts';
import { comparabilityText } from '../documents/comparability.ts';
import { verdictsOf } from '../documents/verdicts-of.ts';
import { defineRoute } from './route.ts';
import { DEFAULT_METRIC, metricSchema } from './result-query.ts';

const querySchema = z.strictObject({
  metric: metricSchema.default(DEFAULT_METRIC),
  round: z.enum(['last', 'best']).default('last').describe('Which checkpoint is shown.'),
});

export const resultsRoute = defineRoute({
  path: '/experiments/{id}/results',
  summary: 'A metric by seed and variant, and what it is over seeds.',
  query: querySchema,
  answer: resultsSchema,
  async load({ database }, { id, query: { metric, round } }) {
    const experiment = await findExperiment(database, id);
    const rows = await listResultRows(database, experiment.id);
    const column = round === 'best' ? bestOf(metric) : metric;
    return {
      metric,
      round,
      variants: [...groupRows(rows, ({ variant }) => variant)].map(([name, group]) => foldOf(name, group, column)),
      seeds: [...new Set(rows.map(({ seed }) => seed))].sort((a, b) => a - b),
      cells: rows.map((row) => cellOf(row, column)),
      comparability: comparabilityText(rows),
    };
  },
});

/** The column of the best checkpoint; what belongs to a run as a whole has none of its own. */
function bestOf(metric: string): string {
  return metricSchema.safeParse(`best_${metric}`).success ? `best_${metric}` : metric;
}

function foldOf(name: string, rows: readonly ResultRow[], column: string): Results['variants'][number] {
  const { n, nExpected, mean, iqm, std } = summarize(rows, column);
  const interval = confidenceInterval(rows, column);
  const ci95: Results['variants'][number]['ci95'] = interval === null ? null : [interval[0], interval[1]];
  return { name, n, n_expected: nExpected, mean, iqm, std, ci95, verdicts: verdictsOf(rows) };
}

function cellOf(row: ResultRow, column: string): Results['cells'][number] {
  const { runId, variant, seed, state, reason, last } = row;
  return {
    run_id: runId,
    variant,
    seed,
    state,
    value: metricValue(row, column),
    verdict: last?.verdict ?? null,
    reason,
  };
}
