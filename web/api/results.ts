import { z } from 'zod';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { metricValue } from '../../learning/results/result-columns.ts';
import type { ResultRow } from '../../learning/results/result-row.ts';
import { columnsOf, confidenceInterval, groupRows, summarize } from '../../learning/results/result-summary.ts';
import { resultsSchema, type Results } from '../contract/results.ts';
import { comparabilityText } from '../documents/comparability.ts';
import { expectEvaluated } from '../documents/expect-evaluated.ts';
import { verdictsOf } from '../documents/verdicts-of.ts';
import { defineRoute } from './route.ts';
import { DEFAULT_METRIC, metricSchema } from './result-query.ts';

const querySchema = z.strictObject({
  metric: metricSchema.default(DEFAULT_METRIC),
  round: z
    .union([z.enum(['last', 'best']), z.int().min(0)])
    .default('last')
    .describe(
      'Which checkpoint is shown: the last, the one that was best on validation, or that after so many rounds.',
    ),
});

export const resultsRoute = defineRoute({
  path: '/experiments/{id}/results',
  summary: 'A metric by seed and variant, and what it is over seeds.',
  query: querySchema,
  answer: resultsSchema,
  isKept: true,
  async load({ database }, { id, query: { metric, round } }) {
    const experiment = await findExperiment(database, id);
    await expectEvaluated(database, experiment, round);
    const rows = await listResultRows(database, experiment.id, round, [...columnsOf([metric]), 'total_env_steps']);
    return {
      metric,
      round: String(round),
      variants: [...groupRows(rows, ({ variant }) => variant)].map(([name, group]) => foldOf(name, group, metric)),
      seeds: [...new Set(rows.map(({ seed }) => seed))].sort((a, b) => a - b),
      cells: rows.map((row) => cellOf(row, metric)),
      comparability: comparabilityText(rows),
    };
  },
});

function foldOf(name: string, rows: readonly ResultRow[], metric: string): Results['variants'][number] {
  const { n, nExpected, mean, iqm, std } = summarize(rows, metric);
  const interval = confidenceInterval(rows, metric);
  const ci95: Results['variants'][number]['ci95'] = interval === null ? null : [interval[0], interval[1]];
  return { name, n, n_expected: nExpected, mean, iqm, std, ci95, verdicts: verdictsOf(rows) };
}

function cellOf(row: ResultRow, metric: string): Results['cells'][number] {
  const { runId, variant, seed, state, reason, last } = row;
  return {
    run_id: runId,
    variant,
    seed,
    state,
    value: metricValue(row, metric),
    verdict: last?.verdict ?? null,
    reason,
  };
}
