import type { EvaluationSimulator } from '../learning/evaluation.ts';
import type { PolicyMode } from '../learning/rollout/action-choice.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import type { Attempt } from './attempt.ts';
import type { EvaluateRequest, EvaluateResponse, SessionState } from './session-messages.ts';

/** What a policy plays. */
interface Played {
  readonly simulators: readonly EvaluationSimulator[];
  /** On each simulator. */
  readonly episodes: number;
  readonly mode: PolicyMode;
  /** Which of the members in the learners' seats; the run's policy unless it is named. */
  readonly member?: string;
}

/** Has a policy of the run play. @returns by simulator */
export function playPolicy(
  attempt: Attempt,
  session: SessionState,
  { simulators, episodes, mode, member = leaderOf(session.members) }: Played,
): Promise<EvaluateResponse> {
  const request: EvaluateRequest = {
    ...session,
    player: 'policy',
    member,
    simulators: simulators.map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes,
    mode,
  };
  return attempt.compute<EvaluateResponse>('evaluate', request);
}
