import type { AttemptKind, FailureClass } from './records.ts';
import type { RetryClass } from './resolved-experiment.ts';

/** What a workflow needs to know of a run: ids and small numbers only, because all of it ends up in a history. */
export interface RunPlan {
  readonly runId: string;
  /** Experiments of one priority share the workers evenly, whatever the number of their runs. */
  readonly experimentId: string;
  /** A run that is final already, or equal to one that has succeeded, is not run. */
  readonly isFinal: boolean;
  /** Its experiment is paused: the run waits until somebody resumes it. */
  readonly isPaused: boolean;
  readonly roundCount: number;
  readonly roundsCompleted: number;
  readonly evaluateEveryRounds: number;
  /** Completed rounds, 0 included, after which the strategy changes the pool. */
  readonly adaptRounds: readonly number[];
  readonly timeoutsMs: { readonly round: number; readonly run: number };
  readonly retries: Readonly<Record<RetryClass, number>>;
  /** 1 is the most urgent, 5 the least. */
  readonly priority: number;
}

/**
 * What a workflow learns when a step ends: done, or not begun because somebody has stopped the run. Null in histories of
 * the time before there was anything to learn.
 */
export type StepSummary = {
  /** Its experiment is paused: nothing more is to be begun. */
  readonly isPaused: boolean;
  /** Its row was final before the step began, by whoever closed it. */
  readonly isOver: boolean;
} | null;

/** One failed attempt, and what was decided to do about it. */
export interface FailureReport {
  readonly runId: string;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly failureClass: FailureClass;
  readonly message: string;
  readonly willRetry: boolean;
}

export type EndState = 'FAILED' | 'CRASHED' | 'TIMED_OUT' | 'CANCELLED';

/** The next runs of an experiment, and how many of them may run at once. */
/** Who asked to be told when an experiment is over: its own spec, or the installation. */
export type NoticeSource = 'experiment' | 'installation';

export interface RunPage {
  readonly runs: readonly { readonly id: string; readonly position: number }[];
  readonly concurrencyMax: number;
  readonly stopsOnFailure: boolean;
  readonly priority: number;
}
