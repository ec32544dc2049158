import { presentLearners } from '../learning/rollout/driven-seats.ts';
import type { World } from '../simulators/contract.ts';
import type { TrainRequest } from './session-messages.ts';

/** Changes when a program that reads the task would have to. */
const FORMAT = 1;

interface TaskDetails {
  /** Of the round. */
  readonly envSteps: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a program of the user is told of a round, as JSON; places of files are added by whoever lays them out. */
export function trainerTask(
  { roundIndex: round, seed, resolved, pool, episodeRule }: TrainRequest,
  world: World,
  { envSteps, settings }: TaskDetails,
) {
  return {
    format: FORMAT,
    round,
    rounds: resolved.budget.rounds,
    seed,
    env_steps: envSteps,
    settings,
    world: worldOf(world, resolved.learners),
    group_size: episodeRule.groupSize,
    simulators: pool.map(({ name, weight, learns, simulator, randomization }) => ({
      name,
      weight,
      learns,
      learners: presentLearners(resolved.learners, simulator),
      simulator,
      randomization,
    })),
  };
}

function worldOf(world: World, learners: readonly number[]) {
  const { family, version, options, seatCount, episodeStepsMax, cooperative, groups } = world;
  return {
    family,
    version,
    options,
    learners,
    seat_count: seatCount,
    episode_steps_max: episodeStepsMax,
    cooperative,
    groups: groups.map(({ role, seats, observationSize, observation, actions, masked = false }) => ({
      role,
      seats,
      observation_size: observationSize,
      observation,
      actions,
      masked,
    })),
  };
}
