import type { SensitivityRow } from '../learning/measures/sensitivity.ts';
import { openWorld } from '../specification/open-world.ts';
import { assessSensitivity } from './assess-sensitivity.ts';
import type { Attempt } from './attempt.ts';
import { checkpointPlayer } from './checkpoint-player.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { EvaluatedCheckpoint } from './evaluate-checkpoint.ts';
import { panelMembers } from './panels.ts';

/** The perturbation curve and the partner sweep of a checkpoint on its training pool. */
export async function measureSensitivity(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  checkpoint: EvaluatedCheckpoint,
): Promise<{ rows: SensitivityRow[]; envSteps: number }> {
  const { resolved } = attempt.run;
  const world = openWorld(resolved, dependencies.registries);
  const train = panelMembers(world, resolved, checkpoint.pool).filter(({ panel }) => panel === 'train');
  const player = checkpointPlayer(dependencies, attempt, checkpoint.session);
  return assessSensitivity(player, { world, resolved }, { train, poolSize: checkpoint.pool.entries.length });
}
