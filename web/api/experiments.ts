import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listExperiments, type ExperimentSummary } from '../../infra/postgres/experiment-list.ts';
import { experimentListSchema, type ExperimentSummary as Summary } from '../contract/experiments.ts';
import { defineRoute } from './route.ts';

const querySchema = z.strictObject({
  limit: z.int().min(1).max(1000).default(50).describe('How many at most.'),
  after: z.string().optional().describe('`next` of the page before.'),
  name: z.string().optional().describe('Only those with this text in their name.'),
});

export const experimentsRoute = defineRoute({
  path: '/experiments',
  summary: 'Experiments, newest first, with how many of their runs are in each state.',
  query: querySchema,
  answer: experimentListSchema,
  async load({ database }, { query: { limit, after, name } }) {
    const last = after === undefined ? null : await findExperimentId(database, after);
    const found = await listExperiments(database, { limit: limit + 1, after: last, name: name ?? null });
    const experiments = found.slice(0, limit);
    return {
      experiments: experiments.map(summaryDocument),
      next: found.length > limit ? experiments.at(-1)!.id : null,
    };
  },
});

/** An experiment as a list shows it. */
export function summaryDocument({ id, name, version, family, createdAt, runs }: ExperimentSummary): Summary {
  return { id, name, version, family, created_at: createdAt.toISOString(), runs };
}
