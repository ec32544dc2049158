import { z } from 'zod';
import { findRun } from '../../infra/postgres/run-rows.ts';
import { findResultRow } from '../../infra/postgres/result-rows.ts';
import { recordFrom } from '../../learning/results/column.ts';
import { RESULT_COLUMNS } from '../../learning/results/result-columns.ts';
import { runSchema } from '../contract/runs.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';
import { runDocument } from './runs.ts';

export const runRoute = defineRoute({
  path: '/runs/{id}',
  summary: 'A run with its row of the result table.',
  query: z.strictObject({}),
  answer: runSchema,
  async load({ database }, { id }) {
    const run = await askedRun(database, id);
    const { resolved, execution } = await findRun(database, run.id);
    const row = await findResultRow(database, { experimentId: run.experimentId, runId: run.id });
    return {
      ...runDocument(run),
      same_as: run.sameAs,
      strategy: resolved.strategy.kind,
      algorithm: resolved.algorithm.name,
      memory_limit_mib: execution.memory_mib,
      results: recordFrom(RESULT_COLUMNS, row),
    };
  },
});
