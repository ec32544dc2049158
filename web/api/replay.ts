import { z } from 'zod';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { findFailedSimulator, listWholeFailures } from '../../infra/postgres/failure-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import { replaySchema } from '../contract/simulators.ts';
import { episodeOf } from '../replay/episode-of.ts';
import { parseFailureId } from '../replay/failure-id.ts';
import { playFailure } from '../replay/play-failure.ts';
import { replayDocument } from '../replay/replay-document.ts';
import { askedRun } from './asked-run.ts';
import { failureDocument } from './failures.ts';
import { defineRoute } from './route.ts';

export const replayRoute = defineRoute({
  path: '/failures/{id}/replay',
  summary: 'A mined episode step by step, played again from what is stored, to be drawn.',
  query: z.strictObject({}),
  answer: replaySchema,
  async load({ database }, { id }) {
    const named = parseFailureId(id);
    if (named === null) throw unknownFailure(id);
    const { experimentId } = await askedRun(database, named.runId);
    const [failure] = await listWholeFailures(database, { experimentId, ...named });
    if (failure === undefined) throw unknownFailure(id);
    const { resolved } = await findExperiment(database, experimentId);
    const simulator = await findFailedSimulator(database, failure);
    const played = await playFailure(resolved.variants[failure.variant]!, failure, simulator);
    return {
      failure: failureDocument(failure),
      ...replayDocument(episodeOf(played, { subtitle: failure.name }), failure),
    };
  },
});

function unknownFailure(id: string): ThawError {
  return new ThawError('REQUEST_UNKNOWN_ID', `No failure is called "${id}".`, {
    remedy: 'A failure is named EXPERIMENT/VARIANT/SEED:ROUND.K; GET /experiments/{id}/failures lists them.',
  });
}
