import { z } from 'zod';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import { recordFrom } from '../../learning/results/column.ts';
import { RESULT_COLUMNS } from '../../learning/results/result-columns.ts';
import { resultRowsSchema } from '../contract/results.ts';
import { defineRoute } from './route.ts';

export const resultRowsRoute = defineRoute({
  path: '/experiments/{id}/rows',
  summary: 'Every run of an experiment with every column of the result table.',
  query: z.strictObject({}),
  answer: resultRowsSchema,
  async load({ database }, { id }) {
    const rows = await listResultRows(database, (await findExperiment(database, id)).id);
    return {
      columns: RESULT_COLUMNS.map(({ key }) => key),
      rows: rows.map((row) => recordFrom(RESULT_COLUMNS, row)),
    };
  },
});
