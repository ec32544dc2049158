import type { Key } from '../simulators/random.ts';
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
  /** Names the episodes; those of an evaluation unless it is given. */
  readonly key?: Key;
}

/** Has a policy of the run play. @returns by simulator */
export function playPolicy(
  attempt: Attempt,
  session: SessionState,
  { simulators, episodes, mode, member = leaderOf(session.members), key }: Played,
): Promise<EvaluateResponse> {
  const request: EvaluateRequest = {
    ...session,
    player: 'policy',
    member,
    simulators: simulators.map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes,
    mode,
    ...(key === undefined ? {} : { key }),
  };
  return attempt.compute<EvaluateResponse>('evaluate', request);
}
