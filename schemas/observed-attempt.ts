import type { AttemptKind, FailureClass } from './records.ts';

/** What of an attempt is told in logs and metrics. */
export interface ObservedAttempt {
  readonly experiment: string;
  readonly run: string;
  readonly variant: string;
  readonly seed: number;
  readonly kind: AttemptKind;
  readonly round: number;
  readonly attempt: number;
}

export interface ObservedEnd {
  readonly outcome: 'done' | 'cancelled' | FailureClass;
  readonly seconds: number;
  readonly message: string | null;
  readonly peakRssMib: number | null;
  /** Env steps of training that were committed. */
  readonly envSteps: number;
}

/** Hears of attempts as they begin and end; it must not throw, and nothing waits for it. */
export interface AttemptObserver {
  begun(attempt: ObservedAttempt): void;
  ended(attempt: ObservedAttempt, end: ObservedEnd): void;
}
