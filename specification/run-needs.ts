import { describePolicy } from '../learning/algorithms/describe-policy.ts';
import { transitionLayout } from '../learning/replay/transition-layout.ts';
import { isCommand } from '../learning/trainers/command.ts';
import type { ReplaySettings } from '../learning/replay/replay-settings.ts';
import type { Execution, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';
import { chooseSamplers, type SamplerChoice } from './sampler-count.ts';

/** What training by an algorithm takes, beside others. */
interface AlgorithmCost {
  /** Env steps per second of processor time. */
  readonly stepsPerSecond: number;
  /** Share of that in which episodes are played. */
  readonly playedShare: number;
  /** Peak resident memory without what is kept of former blocks, in MiB. */
  readonly residentMib: number;
  /** Whether what is kept tells what all seats see together. */
  readonly keepsJoint: boolean;
}

/**
 * Measured with default settings on simple_spread of 3 agents (ppo and dqn: one learner), 60 000 env steps in one process
 * under Node 20 and ONNX Runtime 1.30: processor time of one run each, while others used the machine, and the largest
 * resident memory of the process, less what it had kept of former blocks by then. They serve estimates only.
 */
const COSTS: Readonly<Record<string, AlgorithmCost>> = {
  ippo: { stepsPerSecond: 30_300, playedShare: 0.22, residentMib: 136, keepsJoint: false },
  mappo: { stepsPerSecond: 25_200, playedShare: 0.21, residentMib: 142, keepsJoint: false },
  ppo: { stepsPerSecond: 68_600, playedShare: 0.35, residentMib: 123, keepsJoint: false },
  iql: { stepsPerSecond: 20_300, playedShare: 0.14, residentMib: 131, keepsJoint: false },
  dqn: { stepsPerSecond: 35_400, playedShare: 0.18, residentMib: 138, keepsJoint: false },
  vdn: { stepsPerSecond: 23_500, playedShare: 0.15, residentMib: 137, keepsJoint: false },
  qmix: { stepsPerSecond: 14_900, playedShare: 0.12, residentMib: 135, keepsJoint: true },
  maddpg: { stepsPerSecond: 5_500, playedShare: 0.04, residentMib: 157, keepsJoint: true },
};
const USUAL = COSTS['ippo']!;
/** Of mappo with a memory of 64 units, over sequences of 25 steps. */
const RECURRENT: AlgorithmCost = { stepsPerSecond: 6_100, playedShare: 0.1, residentMib: 188, keepsJoint: false };

/** Resident memory of a further sampler with its networks: docs/decisions/027. */
const SAMPLER_MIB = 40;
const BYTES_OF_NUMBER = 4;
const MIB = 2 ** 20;

/** How a run of a variant is expected to be carried out on a machine. */
export interface RunNeeds {
  readonly samplers: SamplerChoice;
  /** Peak resident memory of its training process. */
  readonly estimatedMib: number;
  /** How much longer an env step of training takes than one of the usual algorithm. */
  readonly trainingWeight: number;
}

export interface Machine {
  readonly processors: number;
  readonly runsAtOnce: number;
}

/** @param envSteps of training of a whole run */
export function runNeeds(
  variant: ResolvedVariant,
  { families }: Pick<Registries, 'families'>,
  { execution, envSteps, ...machine }: Machine & { readonly execution: Execution; readonly envSteps: number },
): RunNeeds {
  const cost = costOf(variant);
  const samplers = samplersOf(variant, execution.sampler_processes, machine);
  const kept = keptMib(variant, { families }, envSteps);
  return {
    samplers,
    // What a program of the user takes is not known; more than its limit it cannot.
    estimatedMib: isCommand(variant.algorithm)
      ? execution.memory_mib
      : cost.residentMib + kept + SAMPLER_MIB * (samplers.count - 1),
    trainingWeight: USUAL.stepsPerSecond / cost.stepsPerSecond,
  };
}

/** How many threads play the episodes of a run on a machine. */
export function samplersOf(
  variant: ResolvedVariant,
  asked: Execution['sampler_processes'],
  machine: Machine,
): SamplerChoice {
  if (isCommand(variant.algorithm)) return { count: 1, why: 'a program of yours plays the episodes, as it likes' };
  const environments = variant.algorithm.parallel_environments;
  return chooseSamplers(asked, { ...machine, environments, playedShare: costOf(variant).playedShare });
}

/** An algorithm that nothing is known of is taken for the usual one. */
function costOf({ algorithm }: ResolvedVariant): AlgorithmCost {
  if ((algorithm['recurrent'] ?? null) !== null) return RECURRENT;
  return Object.hasOwn(COSTS, algorithm.name) ? COSTS[algorithm.name]! : USUAL;
}

/** What is kept of former blocks when the run ends, in MiB. */
function keptMib(variant: ResolvedVariant, registries: Pick<Registries, 'families'>, envSteps: number): number {
  const { algorithm, learners } = variant;
  const replay = algorithm['replay'] as ReplaySettings | undefined;
  if (replay === undefined) return 0;
  const world = openWorld(variant, registries);
  const sharing = {
    parameter_sharing: algorithm['parameter_sharing'] as 'group' | 'none',
    seat_identity: algorithm['seat_identity'] === true,
  };
  const policies = world.groups.map((_, group) => describePolicy(world, group, learners, sharing));
  const { width } = transitionLayout(world, policies, { learners, joint: costOf(variant).keepsJoint });
  return (Math.min(replay.capacity, envSteps) * width * BYTES_OF_NUMBER) / MIB;
}
