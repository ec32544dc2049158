import type { EvaluationCommit } from '../infra/postgres/evaluation-rows.ts';
import { findPool, type RunPool } from '../infra/postgres/pool-rows.ts';
import { ThawError } from '../schemas/errors.ts';
import { openWorld } from '../specification/open-world.ts';
import { assessPanels } from './assess-panels.ts';
import type { Attempt } from './attempt.ts';
import { checkpointPlayer } from './checkpoint-player.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { panelMembers } from './panels.ts';
import { requirePolicies, wholeCheckpoint } from './repair-checkpoint.ts';
import type { SessionState } from './session-messages.ts';
import { simulatorRecord } from './simulator-record.ts';

/** The policy after so many completed rounds, as requests name it, and what it was trained on. */
export interface EvaluatedCheckpoint {
  readonly pool: RunPool;
  readonly session: SessionState;
}

/** The checkpoint after so many completed rounds. */
export async function checkpointOfRound(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  round: number,
): Promise<EvaluatedCheckpoint> {
  const { database } = dependencies;
  const { id } = attempt.run;
  // The pool that the last of them trained on; before any, the one the first will train on.
  const pool = await findPool(database, id, Math.max(0, round - 1));
  if (pool === null) throw new ThawError('DEFECT_INVARIANT', `${id} has no pool before round ${round}`);
  const checkpointHash = await wholeCheckpoint(dependencies, attempt, { runId: id, round, learns: false });
  return { pool, session: attempt.session(checkpointHash, pool.members) };
}

/** Plays a checkpoint on every simulator of the panels, and chance on those where nobody has played it yet. */
export async function evaluateCheckpoint(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { checkpoint, episodes }: { checkpoint: EvaluatedCheckpoint; episodes: number },
): Promise<Omit<EvaluationCommit, 'round' | 'checkpoint' | 'costs'> & { envSteps: number }> {
  const { resolved } = attempt.run;
  const { session, pool } = checkpoint;
  const world = openWorld(resolved, dependencies.registries);
  const panels = panelMembers(world, resolved, pool);
  await requirePolicies(dependencies, attempt, panels);
  const player = checkpointPlayer(dependencies, attempt, session);
  const { evaluations, scores, envSteps } = await assessPanels(player, { world, resolved }, { panels, episodes });
  return {
    simulators: panels.map(({ simulator }) => simulatorRecord(world, simulator)),
    envSteps,
    evaluations,
    scores,
  };
}
