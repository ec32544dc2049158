import type { Learner } from '../../learning/algorithms/contract.ts';
import type { EvaluationOptions } from '../../learning/evaluation.ts';
import { NO_POLICIES } from '../../learning/rollout/partner-policies.ts';
import type { TrainingSimulator } from '../../learning/rollout/played-round.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import type { TrainingRound } from '../../learning/training.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';

/** simple_spread with small observations. */
export function openSpread(options: { agents: number; episode_steps?: number; continuous_actions?: boolean }): World {
  return FAMILIES['simple_spread']!.open({ observe_velocities: true, communication_channel: false, ...options });
}

/** A simulator as it stands in a spec, with every default written out. */
export function simulatorOf(world: World, written: object = {}): SimulatorData {
  return world.simulatorSchema.parse(written);
}

export const scripted = (seat: number, name: string, numbers: object = {}) => ({
  partners: { [seat]: { kind: 'scripted', name, ...numbers } },
});

/** An entry of a pool, without draws. */
export function weighted(simulator: SimulatorData, weight = 1): TrainingSimulator {
  return { name: 'weighted', simulator, weight, randomization: {}, learns: true };
}

/** A round of two short blocks on the plain simulator, with what a test wants otherwise. */
export function trainingRound(world: World, learner: Learner, changes: Partial<TrainingRound> = {}): TrainingRound {
  return {
    world,
    members: [{ ...ONE_LEARNER[0]!, learner }],
    learners: Array.from({ length: world.seatCount }, (_, seat) => seat),
    environmentCount: 8,
    stepCount: world.episodeStepsMax,
    pool: [weighted(simulatorOf(world))],
    episodeRule: PLAIN_EPISODES,
    reward: 'own',
    scoresEpisodes: false,
    keepsSamples: false,
    loadPolicy: NO_POLICIES,
    seed: 1,
    roundIndex: 0,
    updateCount: 2,
    updatesBefore: 0,
    samplers: [],
    onProgress: () => undefined,
    onStage: () => undefined,
    ...changes,
  };
}

/** An evaluation on the plain simulator, with what a test wants otherwise. */
export function evaluationOptions(world: World, changes: Partial<EvaluationOptions> = {}): EvaluationOptions {
  return {
    world,
    learners: Array.from({ length: world.seatCount }, (_, seat) => seat),
    simulators: [{ simulator: simulatorOf(world), randomization: {} }],
    episodes: 10,
    loadPolicy: NO_POLICIES,
    seed: 0,
    onProgress: () => undefined,
    ...changes,
  };
}
