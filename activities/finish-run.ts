import { findHeldoutHistory } from '../infra/postgres/heldout-rows.ts';
import { findBestRound, findRunCost, isEvaluationCommitted } from '../infra/postgres/progress-rows.ts';
import { commitResult } from '../infra/postgres/completion-rows.ts';
import { commitEvaluation } from '../infra/postgres/evaluation-rows.ts';
import { findRun } from '../infra/postgres/run-rows.ts';
import { runMeasures } from '../learning/measures/run-measures.ts';
import { isFinalState, type CheckpointName } from '../schemas/records.ts';
import { runAttempt, type Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { checkpointOfRound, evaluateCheckpoint } from './evaluate-checkpoint.ts';
import { exportPolicies } from './exported-policies.ts';
import { measureSensitivity } from './measure-sensitivity.ts';

/**
 * Closes a run: the last checkpoint and the one that was best on validation are evaluated with many episodes, the
 * policies are exported, and the result row is written, with which alone a run has succeeded.
 */
export async function finishRun(dependencies: ActivityDependencies, { runId }: { runId: string }): Promise<void> {
  const { database, children, programVersion } = dependencies;
  const { state, resolved } = await findRun(database, runId);
  if (isFinalState(state)) return;
  const last = resolved.budget.rounds;
  await runAttempt(dependencies, { runId, kind: 'finish_run', round: last }, async (attempt) => {
    const bestRound = await findBestRound(database, runId);
    const best = bestRound ?? last;
    await evaluateFinally(dependencies, attempt, last, best === last ? ['last', 'best'] : ['last']);
    if (best !== last) await evaluateFinally(dependencies, attempt, best, ['best']);
    const checkpoint = await checkpointOfRound(dependencies, attempt, last);
    const sensitivity = await measureSensitivity(dependencies, attempt, checkpoint);
    const artifacts = await exportPolicies(attempt, checkpoint.session);
    const { rounds, curve, randomReturn } = await findHeldoutHistory(database, runId);
    const cost = await findRunCost(database, runId);
    await commitResult(
      database,
      attempt.token,
      {
        envSteps: attempt.run.envSteps,
        bestRound,
        wallS: cost.wallS,
        peakRssMib: Math.max(cost.peakRssMib, attempt.peakRssMib()),
        programVersion,
        measures: runMeasures(rounds, curve, randomReturn),
        sensitivities: sensitivity.rows,
        costs: [
          { round: last, activity: 'measure_sensitivity', purpose: 'evaluation', envSteps: sensitivity.envSteps },
        ],
        artifacts,
      },
      attempt.done(),
    );
  });
  await children.handOn(runId);
}

/** Evaluates the checkpoint after a round once, and commits it under every name it goes by. */
async function evaluateFinally(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  round: number,
  names: readonly CheckpointName[],
): Promise<void> {
  const { database } = dependencies;
  const runId = attempt.run.id;
  const committed = await Promise.all(
    names.map((checkpoint) => isEvaluationCommitted(database, { runId, round, checkpoint })),
  );
  if (committed.every(Boolean)) return;
  const { envSteps, ...evaluated } = await evaluateCheckpoint(dependencies, attempt, {
    checkpoint: await checkpointOfRound(dependencies, attempt, round),
    episodes: attempt.run.resolved.evaluation.final_episodes,
  });
  const costs = [{ round, activity: 'finish_run', purpose: 'evaluation', envSteps } as const];
  for (const checkpoint of names) {
    await commitEvaluation(database, attempt.token, { round, checkpoint, costs, ...evaluated });
  }
}
