import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listFoldedRounds, type FoldedRound } from '../../infra/postgres/folded-curves.ts';
import { groupRows } from '../../learning/results/result-summary.ts';
import { bandOf, bandResamples } from '../documents/seed-band.ts';
import { curvesSchema, type CurvePoint } from '../contract/results.ts';
import { defineRoute } from './route.ts';

const RETURNS = ['trainReturns', 'validationReturns', 'heldoutReturns', 'worstHeldouts'] as const;
type Returns = (typeof RETURNS)[number];

export const curvesRoute = defineRoute({
  path: '/experiments/{id}/curves',
  summary: 'Returns on the way, seeds folded into a line with a band.',
  query: z.strictObject({}),
  answer: curvesSchema,
  isKept: true,
  async load({ database }, { id }) {
    const rounds = await listFoldedRounds(database, await findExperimentId(database, id));
    const resamples = bandResamples(
      rounds.reduce((sum, folded) => sum + RETURNS.length * folded.trainReturns.length, 0),
    );
    return {
      variants: [...groupRows(rounds, ({ variant }) => variant)].map(([name, own]) => ({
        name,
        train_return: curveOf(own, 'trainReturns', resamples),
        validation_return: curveOf(own, 'validationReturns', resamples),
        heldout_return: curveOf(own, 'heldoutReturns', resamples),
        worst_heldout: curveOf(own, 'worstHeldouts', resamples),
      })),
    };
  },
});

/** Rounds in which nothing was measured are left out. */
function curveOf(rounds: readonly FoldedRound[], returns: Returns, resamples: number): CurvePoint[] {
  return rounds.flatMap((folded) => {
    const values = folded[returns].filter((value) => value !== null);
    return values.length === 0
      ? []
      : [{ round: folded.round, env_steps: folded.envSteps, ...bandOf(values, resamples) }];
  });
}
