import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
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
  isKept: true,
  async load({ database }, { id }) {
    const rows = await listResultRows(database, await findExperimentId(database, id));
    return {
      columns: RESULT_COLUMNS.map(({ key }) => key),
      rows: rows.map((row) => recordFrom(RESULT_COLUMNS, row)),
    };
  },
});
