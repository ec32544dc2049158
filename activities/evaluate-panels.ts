import { findPool, type RunPool } from '../infra/postgres/pool-rows.ts';
import { findCheckpoint, isEvaluationCommitted } from '../infra/postgres/progress-rows.ts';
import { commitEvaluation } from '../infra/postgres/round-rows.ts';
import { ThawError } from '../schemas/errors.ts';
import { openWorld } from '../specification/open-world.ts';
import { runAttempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { evaluateMembers, panelMembers } from './panels.ts';
import { simulatorRecord } from './simulator-record.ts';

/** Evaluates the policy after so many completed rounds on the train, validation and test panels. */
export async function evaluatePanels(
  dependencies: ActivityDependencies,
  { runId, round }: { runId: string; round: number },
): Promise<void> {
  const { database, registries } = dependencies;
  if (await isEvaluationCommitted(database, { runId, round, checkpoint: 'round' })) return;
  await runAttempt(dependencies, { runId, kind: 'evaluate_panels', round }, async (attempt) => {
    const { resolved } = attempt.run;
    const world = openWorld(resolved, registries);
    const pool = await poolOfRound(dependencies, runId, round);
    const panels = panelMembers(world, resolved, pool);
    const evaluated = await evaluateMembers(dependencies, attempt, {
      panels,
      session: attempt.session(await findCheckpoint(database, runId, round), pool.members),
      episodes: resolved.evaluation.episodes,
    });
    await commitEvaluation(
      database,
      attempt.token,
      {
        round,
        checkpoint: 'round',
        simulators: panels.map(({ simulator }) => simulatorRecord(world, simulator)),
        ...evaluated,
      },
      attempt.done(),
    );
  });
}

/** The pool that the last of so many completed rounds trained on; before any, the one the first will train on. */
export async function poolOfRound(
  { database }: ActivityDependencies,
  runId: string,
  completed: number,
): Promise<RunPool> {
  const pool = await findPool(database, runId, Math.max(0, completed - 1));
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${runId} has no pool before round ${completed}`);
  return pool;
}
