import type { AttemptKind } from '../schemas/records.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { decisionSteps } from './decision-steps.ts';
import { evaluationSteps } from './evaluation-steps.ts';
import { isEvaluated, roundSchedule } from './plan.ts';
import type { Registries } from './registries.ts';

/**
 * Attempts that cost alike. The first choice of a pool has nothing to decide on yet, and is told apart from the later ones,
 * for which much may be played.
 */
export type WorkKind = AttemptKind | 'first_pool';

/** One attempt that a run needs, if nothing fails. `round` counts as in rows of `attempts`. */
export interface WorkStep {
  readonly kind: WorkKind;
  readonly round: number;
}

/** All that a run of a variant has to do. */
export interface RunWork {
  /** In order. */
  readonly steps: readonly WorkStep[];
  /** What an attempt of each kind is expected to cost beside the others, in env steps of training. */
  readonly weights: Readonly<Record<WorkKind, number>>;
  /** Env steps of training of a whole run. */
  readonly envSteps: number;
  readonly rounds: number;
}

/**
 * An env step that is only played, beside one that is also learnt from: of the default network on one core, 27 000 and
 * 250 000 a second. It only counts until both have been measured.
 */
const PLAYED_WEIGHT = 27 / 250;
/** Beginning and committing a step takes as long as so many env steps of training, however little there is to do. */
const STEP_WEIGHT = 2_000;

/** What a run of a variant has to do, with costs as far as they can be known before anything runs. */
export function runWork(variant: ResolvedVariant, registries: Pick<Registries, 'families' | 'strategies'>): RunWork {
  const { blockSteps, updateCount } = roundSchedule(variant, registries);
  const envSteps = blockSteps * updateCount;
  const decisions = decisionSteps(variant, registries);
  const finalSteps = evaluationSteps(variant, registries, 0);
  const played = (steps: number) => STEP_WEIGHT + PLAYED_WEIGHT * steps;
  return {
    steps: workSteps(variant, registries),
    weights: {
      first_pool: played(decisions.total - decisions.each * decisions.count),
      adapt_pool: played(decisions.each),
      train_round: STEP_WEIGHT + envSteps / variant.budget.rounds,
      evaluate_panels: played(evaluationSteps(variant, registries, 1) - finalSteps),
      finish_run: played(finalSteps),
    },
    envSteps,
    rounds: variant.budget.rounds,
  };
}

/** The order is that of the workflow of a run, which a test compares. */
function workSteps(variant: ResolvedVariant, { strategies }: Pick<Registries, 'strategies'>): WorkStep[] {
  const { budget, strategy } = variant;
  const steps: WorkStep[] = [
    { kind: 'first_pool', round: 0 },
    { kind: 'evaluate_panels', round: 0 },
  ];
  for (let done = 1; done <= budget.rounds; done += 1) {
    steps.push({ kind: 'train_round', round: done - 1 });
    if (isEvaluated(variant, done)) steps.push({ kind: 'evaluate_panels', round: done });
    const isDue = done < budget.rounds && strategies[strategy.kind]!.isDue(strategy, done);
    if (isDue) steps.push({ kind: 'adapt_pool', round: done });
  }
  return [...steps, { kind: 'finish_run', round: budget.rounds }];
}
