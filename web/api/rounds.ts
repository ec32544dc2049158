import { z } from 'zod';
import { listRounds, type ListedRound } from '../../infra/postgres/round-list.ts';
import { roundsSchema, type Round } from '../contract/runs.ts';
import { askedRun } from './asked-run.ts';
import { defineRoute } from './route.ts';

export const roundsRoute = defineRoute({
  path: '/runs/{id}/rounds',
  summary: 'The rounds of a run with all that was measured in them.',
  query: z.strictObject({}),
  answer: roundsSchema,
  async load({ database }, { id }) {
    const run = await askedRun(database, id);
    return { rounds: (await listRounds(database, run.id)).map(roundDocument) };
  },
});

function roundDocument(round: ListedRound): Round {
  return {
    round: round.round,
    env_steps: round.envSteps,
    wall_s: round.wallS,
    peak_rss_mib: round.peakRssMib,
    peak_gpu_mib: round.peakGpuMib,
    sampler_idle_shares: [...round.samplerIdleShares],
    metrics: round.metrics,
    training: round.training.map(({ simulator, episodes, returnMean, successRate }) => ({
      simulator,
      episodes,
      return_mean: returnMean,
      success_rate: successRate,
    })),
    evaluation: round.evaluation.map(({ panel, simulator, episodes, returnMean, returnStd, successRate }) => ({
      panel,
      simulator,
      episodes,
      return_mean: returnMean,
      return_std: returnStd,
      success_rate: successRate,
    })),
  };
}
