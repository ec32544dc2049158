import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listRunPage, RUN_SORTS, type ListedRun, type RunSort } from '../../infra/postgres/run-list.ts';
import { RUN_STATES } from '../../schemas/records.ts';
import { runListSchema, type RunSummary } from '../contract/runs.ts';
import { pageOf } from './page-of.ts';
import { defineRoute } from './route.ts';

const SORTS = RUN_SORTS.flatMap((sort) => (sort === 'newest' ? [sort] : [sort, `-${sort}`]));

const querySchema = z.strictObject({
  experiment: z
    .string()
    .optional()
    .describe('Only runs of this experiment: its id, a unique prefix of it, its name, or @latest.'),
  state: z.array(z.enum(RUN_STATES)).optional().describe('Only runs in one of these states.'),
  variant: z
    .string()
    .optional()
    .describe('Only runs of variants of this name; * stands for any text, ? for any character.'),
  seed: z.int().min(0).optional().describe('Only runs of this seed.'),
  text: z.string().optional().describe('Only runs with this text in their id or their reason.'),
  sort: z
    .enum(SORTS as [string, ...string[]])
    .default('newest')
    .describe('The order; with - before it, descending.'),
  ...pageOf(100),
});

export const runsRoute = defineRoute({
  path: '/runs',
  summary: 'Runs of one experiment or of all, page by page; missing values and NaN come last in either direction.',
  query: querySchema,
  answer: runListSchema,
  async load({ database }, { query }) {
    const { experiment, state, variant, seed, text, sort, limit, offset } = query;
    const experimentId = experiment === undefined ? undefined : await findExperimentId(database, experiment);
    const isDescending = sort.startsWith('-');
    const { total, runs } = await listRunPage(
      database,
      { experimentId, states: state, variant, seed, text },
      { sort: (isDescending ? sort.slice(1) : sort) as RunSort, isDescending, limit, offset },
    );
    return { total, runs: runs.map(runDocument) };
  },
});

/** A run as a list shows it. */
export function runDocument(run: ListedRun): RunSummary {
  return {
    id: run.id,
    experiment_id: run.experimentId,
    experiment_name: run.experimentName,
    variant: run.variant,
    seed: run.seed,
    state: run.state,
    reason: run.reason,
    rounds_completed: run.roundsCompleted,
    rounds: run.roundCount,
    env_steps: run.envSteps,
    attempts: run.attempts,
    heldout_return: run.heldoutReturn,
    relative_gap: run.relativeGap,
    verdict: run.verdict,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}
