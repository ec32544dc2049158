import type { Execution, PanelName, ResolvedVariant } from './resolved-experiment.ts';

/** States of a run. The last six are final. */
export const RUN_STATES = [
  'QUEUED',
  'RUNNING',
  'RETRYING',
  'PAUSED',
  'CANCELLING',
  'SUCCEEDED',
  'FAILED',
  'CRASHED',
  'TIMED_OUT',
  'CANCELLED',
  'SKIPPED',
] as const;
export type RunState = (typeof RUN_STATES)[number];

export const FINAL_STATES = ['SUCCEEDED', 'FAILED', 'CRASHED', 'TIMED_OUT', 'CANCELLED', 'SKIPPED'] as const;
export type FinalState = (typeof FINAL_STATES)[number];

export function isFinalState(state: RunState): state is FinalState {
  return (FINAL_STATES as readonly string[]).includes(state);
}

/** Why an attempt failed; it decides whether and how often the round is tried again. */
export const FAILURE_CLASSES = ['error', 'lost', 'out_of_memory', 'timeout', 'stalled', 'diverged', 'request'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** The computing activities: each attempt at one is a row. */
export type AttemptKind = 'adapt_pool' | 'train_round' | 'evaluate_panels' | 'finish_run';

/** Which weights were evaluated: those after a round, the last ones, or those that were best on validation. */
export type CheckpointName = 'round' | 'last' | 'best';

export interface RunRecord {
  readonly id: string;
  readonly experimentId: string;
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  readonly reason: string | null;
  readonly roundsCompleted: number;
  readonly envSteps: number;
  readonly attempts: number;
}

/** What the computing activities need to know of a run. */
export interface RunContext extends RunRecord {
  readonly variantHash: string;
  readonly resolved: ResolvedVariant;
  readonly execution: Execution;
  readonly isPaused: boolean;
  /** How many times it has been made smaller after it ran out of memory. */
  readonly shrinks: number;
}

/** A simulator of a run's pool in one round. */
export interface PoolRecord {
  readonly name: string;
  readonly simulatorHash: string;
  readonly weight: number;
  readonly parents: readonly string[];
  readonly reason: string;
  /** Path of a parameter → range from which it is drawn anew for every episode. */
  readonly randomization: Readonly<Record<string, readonly [low: number, high: number]>>;
  /** Whether the learners learn from its episodes; otherwise they are only scored. */
  readonly learns: boolean;
  /** The mined failure that it goes back to, by its name within the run; null where there is none. */
  readonly failure: string | null;
  /** What its own training episodes taught of late, by the strategy's measure; null where it has none. */
  readonly contribution: number | null;
}

/** One policy on one simulator of one panel. Standard deviations are over episodes, n − 1. */
export interface EvaluationRecord {
  readonly panel: PanelName;
  readonly name: string;
  readonly simulatorHash: string;
  /** Names the random policy's episodes on the same simulator, draws included. */
  readonly referenceHash: string;
  readonly weight: number;
  readonly returnMean: number;
  readonly returnStd: number;
  readonly lengthMean: number;
  readonly successRate: number;
  /** By episode. */
  readonly returns: readonly number[];
  readonly lengths: readonly number[];
  readonly successes: readonly boolean[];
  /** Which states the learners visited: for each state feature a histogram. */
  readonly visitation: readonly { readonly feature: string; readonly counts: readonly number[] }[];
  /** How differently they move than on the training pool, in [0, 1]; null on the pool itself, and without one. */
  readonly visitationDivergence: number | null;
}

/** The training episodes of one simulator in one round. */
export interface TrainingEpisodesRecord {
  /** By state feature: visits of the learners in the last update block. */
  readonly visitation: readonly (readonly number[])[];
  /** Null unless the strategy asked for them. */
  readonly scores: Readonly<
    Record<'positiveValueLoss' | 'valueMean' | 'discountedReturnMax' | 'shortfall', number>
  > | null;
  readonly simulatorHash: string;
  readonly name: string;
  readonly episodes: number;
  readonly returnMean: number;
  readonly returnStd: number;
  readonly lengthMean: number;
  readonly successRate: number;
}
