import type { AttemptObserver, ObservedAttempt, ObservedEnd } from '../schemas/observed-attempt.ts';
import type { Logger } from './log.ts';

/** Writes a line for each attempt as it ends, and at the level `debug` as it begins, with all that names it. */
export function logAttempts(log: Logger): AttemptObserver {
  return {
    begun: (attempt) => log.debug(attempt, 'attempt begun'),
    ended(attempt, end) {
      const line = { ...attempt, ...factsOf(end) };
      if (end.outcome === 'done' || end.outcome === 'cancelled') log.info(line, `attempt ${end.outcome}`);
      else log.warn(line, 'attempt failed');
    },
  };
}

function factsOf({ outcome, seconds, message, peakRssMib, envSteps }: ObservedEnd) {
  return {
    outcome,
    duration_s: seconds,
    peak_rss_mib: peakRssMib,
    env_steps: envSteps,
    ...(message !== null && { message }),
  };
}

/** Tells several of the same. */
export function observeAll(observers: readonly AttemptObserver[]): AttemptObserver {
  return {
    begun: (attempt: ObservedAttempt) => observers.forEach((each) => each.begun(attempt)),
    ended: (attempt: ObservedAttempt, end: ObservedEnd) => observers.forEach((each) => each.ended(attempt, end)),
  };
}
