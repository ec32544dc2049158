import type { AttemptEnd } from '../infra/postgres/attempt-rows.ts';
import type { ObservedAttempt } from '../schemas/observed-attempt.ts';
import type { RunContext } from '../schemas/records.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Tells the observer, if there is one, that an attempt has begun. @returns tells it how the attempt ended */
export function observeAttempt(
  { observer, clock }: ActivityDependencies,
  { id, experimentId, variant, seed }: RunContext,
  step: Pick<ObservedAttempt, 'kind' | 'round' | 'attempt'>,
): { ended(end: AttemptEnd, envSteps: number): void } {
  const observed: ObservedAttempt = { experiment: experimentId, run: id, variant, seed, ...step };
  const beganMs = clock();
  observer?.begun(observed);
  return {
    ended({ outcome, message, peakRssMib }, envSteps) {
      observer?.ended(observed, { outcome, message, peakRssMib, envSteps, seconds: (clock() - beganMs) / 1000 });
    },
  };
}
