import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listFoldedRounds, type FoldedRound } from '../../infra/postgres/folded-curves.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { bandOf } from '../documents/seed-band.ts';
import { curvesSchema, type CurvePoint } from '../contract/results.ts';
import { defineRoute } from './route.ts';

type Returns = 'trainReturns' | 'validationReturns' | 'heldoutReturns' | 'worstHeldouts';

export const curvesRoute = defineRoute({
  path: '/experiments/{id}/curves',
  summary: 'Returns on the way, seeds folded into a line with a band.',
  query: z.strictObject({}),
  answer: curvesSchema,
  isKept: true,
  async load({ database }, { id }) {
    const rounds = await listFoldedRounds(database, await findExperimentId(database, id));
    return {
      variants: [...groupRows(rounds, ({ variant }) => variant)].map(([name, own]) => ({
        name,
        train_return: curveOf(own, 'trainReturns'),
        validation_return: curveOf(own, 'validationReturns'),
        heldout_return: curveOf(own, 'heldoutReturns'),
        worst_heldout: curveOf(own, 'worstHeldouts'),
      })),
    };
  },
});

/** Rounds in which nothing was measured are left out. */
function curveOf(rounds: readonly FoldedRound[], returns: Returns): CurvePoint[] {
  return rounds.flatMap((folded) => {
    const values = folded[returns].filter((value) => value !== null);
    return values.length === 0 ? [] : [{ round: folded.round, env_steps: folded.envSteps, ...bandOf(values) }];
  });
}
