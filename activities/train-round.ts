import { ThawError } from '../schemas/errors.ts';
import { releaseCheckpoints } from '../infra/postgres/checkpoint-retention.ts';
import type { Cost } from '../infra/postgres/cost-rows.ts';
import { findPool } from '../infra/postgres/pool-rows.ts';
import { commitRound } from '../infra/postgres/round-rows.ts';
import { findRun } from '../infra/postgres/run-rows.ts';
import { divergenceText } from '../learning/member-divergence.ts';
import { runAttempt } from './attempt.ts';
import { diverged } from './attempt-failure.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { keepPolicies } from './exported-policies.ts';
import { requirePolicies, wholeCheckpoint } from './repair-checkpoint.ts';
import type { TrainedRound, TrainResponse } from './session-messages.ts';
import { trainRequest } from './train-request.ts';

/** Trains one round and commits its rows; a round that is committed already is not trained again. */
export async function trainRound(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database, artifacts, clock, registries } = dependencies;
  if ((await findRun(database, runId)).roundsCompleted > round) return;
  await runAttempt(dependencies, { runId, kind: 'train_round', round }, async (attempt) => {
    const { run, token, settings } = attempt;
    const pool = await findPool(database, runId, round);
    if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${runId} has no pool in round ${round}`);
    const { kind } = run.resolved.strategy;
    const startedAt = clock();
    await requirePolicies(dependencies, attempt, pool.entries);
    const checkpointHash = await wholeCheckpoint(dependencies, attempt, { runId, round, learns: true });
    const strategy = registries.strategies[kind]!;
    const request = trainRequest(run, { round, pool, checkpointHash, strategy, settings });
    const result = await attempt.compute<TrainResponse>('train', request);
    if (result.divergence !== null) {
      await keepPolicies(dependencies, attempt, { round });
      throw diverged(`${divergenceText(result.divergence)}; what it had learnt after round ${round} is kept`);
    }
    await commitRound(
      database,
      token,
      {
        round: round + 1,
        envSteps: run.envSteps + result.envSteps,
        checkpoint: result.checkpoint,
        segments: result.segments,
        episodes: pool.entries.map(({ name, simulatorHash }, index) => ({
          name,
          simulatorHash,
          ...result.episodes[index]!,
          visitation: result.visitation[index]!,
        })),
        samples: result.samples,
        members: result.members,
        costs: costsOf(result, round + 1),
        metrics: result.metrics,
        wallS: (clock() - startedAt) / 1000,
        peakRssMib: attempt.peakRssMib(),
        idleShares: result.idleShares,
        peakGpuMib: result.peakGpuMib,
      },
      attempt.done(),
    );
    attempt.trained(result.envSteps);
    await releaseCheckpoints(database, artifacts, { runId, roundsCompleted: round + 1 });
  });
}

/** Episodes that nobody learns from are played to score their simulators. */
function costsOf({ envSteps, scoringEnvSteps }: TrainedRound, round: number): Cost[] {
  const activity = 'train_round';
  return [
    { round, activity, purpose: 'training', envSteps: envSteps - scoringEnvSteps },
    { round, activity, purpose: 'scoring', envSteps: scoringEnvSteps },
  ];
}
