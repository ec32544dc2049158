import type { AlgorithmParameters } from '../learning/algorithms/contract.ts';
import type { TrainingRound } from '../learning/training.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import type { Registries } from '../specification/registries.ts';
import type { TrainRequest } from './session-messages.ts';

type PlayedElsewhere = 'members' | 'samplers' | 'loadPolicy' | 'onProgress' | 'onStage';

/** What a request says of its round to everybody who plays a part of it. */
export function requestedRound(request: TrainRequest, registries: Registries): Omit<TrainingRound, PlayedElsewhere> {
  const { resolved, roundIndex, pool, episodeRule, scoresEpisodes, keepsSamples, seed } = request;
  const { updatesOfRound } = roundSchedule(resolved, registries);
  return {
    world: openWorld(resolved, registries),
    learners: resolved.learners,
    environmentCount: resolved.algorithm.parallel_environments,
    stepCount: resolved.algorithm.rollout_steps,
    pool,
    episodeRule,
    reward: (resolved.algorithm as AlgorithmParameters).reward ?? 'own',
    scoresEpisodes,
    keepsSamples,
    seed,
    roundIndex,
    updateCount: updatesOfRound[roundIndex]!,
    updatesBefore: updatesOfRound.slice(0, roundIndex).reduce((sum, updates) => sum + updates, 0),
  };
}
