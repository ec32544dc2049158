import { divergenceText } from '../learning/member-divergence.ts';
import { diverged } from './attempt-failure.ts';
import type { TrainedRound, TrainResponse } from './session-messages.ts';

/** @throws AttemptFailure when the round was given up, because some number stopped being finite */
export function trainedRound(response: TrainResponse): TrainedRound {
  if (response.divergence !== null) throw diverged(divergenceText(response.divergence));
  return response;
}
