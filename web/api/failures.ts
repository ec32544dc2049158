import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { pageFailures, type ListedFailure } from '../../infra/postgres/failure-rows.ts';
import { failureListSchema, type Failure } from '../contract/simulators.ts';
import { failureId } from '../replay/failure-id.ts';
import { pageOf } from './page-of.ts';
import { defineRoute } from './route.ts';

const querySchema = z.strictObject({
  run: z.string().optional().describe('Only failures of this run.'),
  variant: z.string().optional().describe('Only failures of runs of this variant.'),
  seed: z.int().min(0).optional().describe('Only failures of runs of this seed.'),
  group: z.int().min(0).optional().describe('Only failures of groups of this number.'),
  ...pageOf(50),
});

export const failuresRoute = defineRoute({
  path: '/experiments/{id}/failures',
  summary: 'Mined episodes that went badly, the worst first.',
  query: querySchema,
  answer: failureListSchema,
  async load({ database }, { id, query: { run, limit, offset, ...cell } }) {
    const experimentId = await findExperimentId(database, id);
    const { total, failures } = await pageFailures(database, { experimentId, runId: run, ...cell }, { limit, offset });
    return { total, failures: failures.map(failureDocument) };
  },
});

/** A failure as a list shows it. */
export function failureDocument(failure: ListedFailure): Failure {
  return {
    id: failureId(failure),
    run_id: failure.runId,
    variant: failure.variant,
    seed: failure.seed,
    round: failure.round,
    simulator: failure.name,
    return: failure.return,
    chance_return: failure.mined.randomMean,
    known_return: failure.mined.knownMean,
    known_by: failure.mined.knownBy,
    score: failure.score,
    key_moment: failure.keyMoment,
    has_critic: failure.hasCritic,
    steps: failure.stepCount,
    group: failure.group,
    is_medoid: failure.isMedoid,
    made: failure.candidateCount,
    entered: failure.admittedCount,
  };
}
