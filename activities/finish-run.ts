import { findBestRound, findCheckpoint, findRunCost, isEvaluationCommitted } from '../infra/postgres/progress-rows.ts';
import { commitEvaluation, commitResult } from '../infra/postgres/round-rows.ts';
import { findRun } from '../infra/postgres/run-rows.ts';
import { isFinalState, type CheckpointName } from '../schemas/records.ts';
import { openWorld } from '../specification/open-world.ts';
import { runAttempt, type Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { poolOfRound } from './evaluate-panels.ts';
import { evaluateMembers, panelMembers } from './panels.ts';
import type { ExportResponse } from './session-messages.ts';
import { simulatorRecord } from './simulator-record.ts';

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
    const pool = await poolOfRound(dependencies, runId, last);
    const policies = await attempt.compute<ExportResponse>(
      'export',
      attempt.session(await findCheckpoint(database, runId, last), pool.members),
    );
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
        artifacts: policies.map(({ group, artifact }) => ({ kind: `policy:${group}`, ...artifact })),
      },
      attempt.done(),
    );
  });
  await children.release(runId);
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
  const { resolved } = attempt.run;
  const world = openWorld(resolved, dependencies.registries);
  const pool = await poolOfRound(dependencies, runId, round);
  const panels = panelMembers(world, resolved, pool);
  const evaluated = await evaluateMembers(dependencies, attempt, {
    panels,
    session: attempt.session(await findCheckpoint(database, runId, round), pool.members),
    episodes: resolved.evaluation.final_episodes,
  });
  const simulators = panels.map(({ simulator }) => simulatorRecord(world, simulator));
  for (const checkpoint of names) {
    await commitEvaluation(database, attempt.token, { round, checkpoint, simulators, ...evaluated });
  }
}
