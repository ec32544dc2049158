import { isEvaluationCommitted } from '../infra/postgres/progress-rows.ts';
import { commitEvaluation } from '../infra/postgres/evaluation-rows.ts';
import { runAttempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { checkpointOfRound, evaluateCheckpoint } from './evaluate-checkpoint.ts';

/** Evaluates the policy after so many completed rounds on the train, validation and test panels. */
export async function evaluatePanels(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database } = dependencies;
  if (await isEvaluationCommitted(database, { runId, round, checkpoint: 'round' })) return;
  await runAttempt(dependencies, { runId, kind: 'evaluate_panels', round }, async (attempt) => {
    const { envSteps, ...evaluated } = await evaluateCheckpoint(dependencies, attempt, {
      checkpoint: await checkpointOfRound(dependencies, attempt, round),
      episodes: attempt.run.resolved.evaluation.episodes,
    });
    const costs = [{ round, activity: 'evaluate_panels', purpose: 'evaluation', envSteps } as const];
    await commitEvaluation(
      database,
      attempt.token,
      { round, checkpoint: 'round', costs, ...evaluated },
      attempt.done(),
    );
  });
}
