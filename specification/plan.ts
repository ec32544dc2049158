import type { Execution, ResolvedExperiment, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { openWorld } from './open-world.ts';
import type { Registries } from './registries.ts';

export interface RoundSchedule {
  /** Joint steps of one environment between two updates: `parallel_environments` × `rollout_steps`. */
  readonly blockSteps: number;
  /** Update blocks of a whole run. */
  readonly updateCount: number;
  /** Update blocks of each round. */
  readonly updatesOfRound: readonly number[];
}

/**
 * How the env steps asked for become whole update blocks, and the blocks rounds.
 *
 * U = max(rounds, round(env_steps / block)); round i does ⌊U(i+1)/rounds⌋ − ⌊U·i/rounds⌋, at least one.
 */
export function roundSchedule({ algorithm, budget }: Pick<ResolvedVariant, 'algorithm' | 'budget'>): RoundSchedule {
  const blockSteps = algorithm.parallel_environments * algorithm.rollout_steps;
  const { rounds } = budget;
  const updateCount = Math.max(rounds, Math.round(budget.env_steps / blockSteps));
  const doneBefore = (round: number) => Math.floor((updateCount * round) / rounds);
  const updatesOfRound = Array.from({ length: rounds }, (_, round) => doneBefore(round + 1) - doneBefore(round));
  return { blockSteps, updateCount, updatesOfRound };
}

/** Whether the policy is evaluated when so many rounds are completed: at the start, every so often, and at the end. */
export function isEvaluated(
  { budget, evaluation }: Pick<ResolvedVariant, 'budget' | 'evaluation'>,
  completed: number,
): boolean {
  return completed === 0 || completed === budget.rounds || completed % evaluation.every_rounds === 0;
}

export interface VariantPlan {
  readonly name: string;
  readonly runs: number;
  readonly rounds: number;
  /** Updates of one run. */
  readonly updates: number;
  /** Of one run, as written. */
  readonly env_steps_asked: number;
  /** Of one run, in whole blocks. */
  readonly env_steps: number;
  /** Longest that evaluating takes in one run, in joint steps of one environment. */
  readonly evaluation_env_steps: number;
  /** Of one run, training and evaluating; null when no speed is known. */
  readonly estimated_s: number | null;
}

export interface ExperimentPlan {
  readonly variants: readonly VariantPlan[];
  readonly runs: number;
  readonly env_steps: number;
  /** Wall time of everything with `max_concurrent_runs` at a time; null when no speed is known. */
  readonly estimated_s: number | null;
  /** Limit of memory of all training processes at the same time. */
  readonly memory_mib: number;
}

/** Env steps per second of one run. */
export interface Speed {
  readonly training: number;
  readonly evaluation: number;
}

/** What would run. @param speed measured on the machine, if it is known */
export function planExperiment(
  { variants, seeds, execution }: ResolvedExperiment,
  registries: Pick<Registries, 'families'>,
  speed: Speed | null,
): ExperimentPlan {
  const plans = Object.entries(variants).map(([name, variant]): VariantPlan => {
    const { blockSteps, updateCount } = roundSchedule(variant);
    const envSteps = blockSteps * updateCount;
    const evaluationSteps = evaluationEnvSteps(variant, registries);
    return {
      name,
      runs: seeds.length,
      rounds: variant.budget.rounds,
      updates: updateCount,
      env_steps_asked: variant.budget.env_steps,
      env_steps: envSteps,
      evaluation_env_steps: evaluationSteps,
      estimated_s: speed === null ? null : envSteps / speed.training + evaluationSteps / speed.evaluation,
    };
  });
  const total = (value: (plan: VariantPlan) => number) => plans.reduce((sum, plan) => sum + plan.runs * value(plan), 0);
  const runs = total(() => 1);
  return {
    variants: plans,
    runs,
    env_steps: total((plan) => plan.env_steps),
    estimated_s: speed === null ? null : total((plan) => plan.estimated_s ?? 0) / concurrency(execution, runs),
    memory_mib: execution.memory_mib * concurrency(execution, runs),
  };
}

function concurrency(execution: Execution, runs: number): number {
  return Math.max(1, Math.min(execution.max_concurrent_runs, runs));
}

/** Episodes of full length on every simulator, at the evaluated rounds and twice (last and best) at the end. */
function evaluationEnvSteps(variant: ResolvedVariant, registries: Pick<Registries, 'families'>): number {
  const { budget, evaluation, panels, strategy } = variant;
  const poolSize = typeof strategy['size'] === 'number' ? strategy['size'] : 1;
  const simulators = poolSize + panels.validation.length + panels.test.length;
  const evaluations = Array.from({ length: budget.rounds + 1 }, (_, completed) => completed).filter((completed) =>
    isEvaluated(variant, completed),
  ).length;
  const episodes = evaluations * evaluation.episodes + 2 * evaluation.final_episodes;
  return simulators * episodes * openWorld(variant, registries).episodeStepsMax;
}
