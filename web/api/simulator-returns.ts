import { z } from 'zod';
import { findExperimentId } from '../../infra/postgres/experiment-rows.ts';
import { listSimulatorReturns } from '../../infra/postgres/simulator-return-rows.ts';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import { simulatorGroups, type SimulatorGroup } from '../documents/simulator-groups.ts';
import { simulatorReturnsSchema, type SimulatorReturns } from '../contract/results.ts';
import { defineRoute } from './route.ts';

const querySchema = z.strictObject({
  panel: z.enum(['train', 'validation', 'test']).optional().describe('Only this panel.'),
});

export const simulatorReturnsRoute = defineRoute({
  path: '/experiments/{id}/simulator-returns',
  summary: 'What each variant got on every simulator at its end.',
  query: querySchema,
  answer: simulatorReturnsSchema,
  isKept: true,
  async load({ database }, { id, query: { panel } }) {
    const experimentId = await findExperimentId(database, id);
    const returns = await listSimulatorReturns(database, experimentId, panel ?? null);
    return { rows: simulatorGroups(returns).map(foldOf) };
  },
});

function foldOf({ variant, panel, simulator, returns }: SimulatorGroup): SimulatorReturns['rows'][number] {
  const means = returns.map(({ returnMean }) => returnMean);
  return { variant, panel, simulator, n: means.length, mean: mean(means), std: sampleStandardDeviation(means) };
}
