import type { Execution, ResolvedExperiment, ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { decisionSteps } from './decision-steps.ts';
import { evaluationSteps } from './evaluation-steps.ts';
import type { Registries } from './registries.ts';
import { type Machine, runNeeds } from './run-needs.ts';

type StepRegistries = Pick<Registries, 'families' | 'strategies'>;

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
 *     U = max(rounds, round((env_steps − decisions) / block)); round i does ⌊U(i+1)/rounds⌋ − ⌊U·i/rounds⌋, at least one
 *
 * Decisions are what the strategy may play to decide, where the budget counts all, and otherwise 0. So a run that counts
 * all takes at most U · block + decisions ≤ env_steps + block / 2 steps.
 */
export function roundSchedule(variant: ResolvedVariant, registries: StepRegistries): RoundSchedule {
  const { rounds } = variant.budget;
  const updateCount = Math.max(rounds, trainingBlocks(variant, registries));
  const doneBefore = (round: number) => Math.floor((updateCount * round) / rounds);
  const updatesOfRound = Array.from({ length: rounds }, (_, round) => doneBefore(round + 1) - doneBefore(round));
  return { blockSteps: blockSteps(variant), updateCount, updatesOfRound };
}

/** Joint steps of one environment between two updates. */
export function blockSteps({ algorithm }: ResolvedVariant): number {
  return algorithm.parallel_environments * algorithm.rollout_steps;
}

/** Update blocks that the budget pays for; not positive when decisions take all of it. */
export function trainingBlocks(variant: ResolvedVariant, registries: StepRegistries): number {
  const { env_steps: asked, count } = variant.budget;
  const decisions = count === 'all' ? decisionSteps(variant, registries).total : 0;
  return Math.round((asked - decisions) / blockSteps(variant));
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
  /** Of one run: most that its strategy plays to decide, in joint steps of one environment. */
  readonly decision_env_steps: number;
  /** Of one run: what counts against the budget. */
  readonly counted_env_steps: number;
  /** Longest that evaluating takes in one run, in joint steps of one environment. */
  readonly evaluation_env_steps: number;
  /** Of one run, training and evaluating; null when no speed is known. */
  readonly estimated_s: number | null;
  /** Threads that play the episodes of a run, and why as many. */
  readonly samplers: number;
  readonly samplers_why: string;
  /** Peak resident memory of the training process of a run, from what runs of its algorithm have taken. */
  readonly estimated_mib: number;
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

/** Env steps per second of one run, of the algorithm that most use; others are weighed by what they take beside it. */
export interface Speed {
  readonly training: number;
  readonly evaluation: number;
}

/** What would run. @param speed measured on the machine, if it is known @param processors of the machine */
export function planExperiment(
  { variants, seeds, execution }: ResolvedExperiment,
  registries: StepRegistries,
  speed: Speed | null,
  processors = 1,
): ExperimentPlan {
  const runsAtOnce = concurrency(execution, seeds.length * Object.keys(variants).length);
  const plans = Object.entries(variants).map(([name, variant]) => ({
    name,
    runs: seeds.length,
    ...planVariant(variant, registries, { speed, execution, processors, runsAtOnce }),
  }));
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

function planVariant(
  variant: ResolvedVariant,
  registries: StepRegistries,
  { speed, ...carriedOut }: Machine & { readonly speed: Speed | null; readonly execution: Execution },
): Omit<VariantPlan, 'name' | 'runs'> {
  const { budget } = variant;
  const { blockSteps: block, updateCount } = roundSchedule(variant, registries);
  const envSteps = block * updateCount;
  const decisions = decisionSteps(variant, registries).total;
  const evaluations = evaluationSteps(variant, registries, evaluationCount(variant));
  const { samplers, estimatedMib, trainingWeight } = runNeeds(variant, registries, { ...carriedOut, envSteps });
  const trainingS = (envSteps * trainingWeight) / (speed?.training ?? NaN);
  return {
    rounds: budget.rounds,
    updates: updateCount,
    env_steps_asked: budget.env_steps,
    env_steps: envSteps,
    decision_env_steps: decisions,
    counted_env_steps: envSteps + (budget.count === 'all' ? decisions : 0),
    evaluation_env_steps: evaluations,
    estimated_s: speed === null ? null : trainingS + (evaluations + decisions) / speed.evaluation,
    samplers: samplers.count,
    samplers_why: samplers.why,
    estimated_mib: estimatedMib,
  };
}

function evaluationCount(variant: ResolvedVariant): number {
  const rounds = Array.from({ length: variant.budget.rounds + 1 }, (_, completed) => completed);
  return rounds.filter((completed) => isEvaluated(variant, completed)).length;
}
