import { leaderOf } from '../learning/strategies/leader.ts';
import type { AssessedPlayer } from './assess-panels.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { playPolicy } from './play-policy.ts';
import { referenceReturns } from './reference-returns.ts';
import type { BehaveRequest, BehaveResponse, SessionState } from './session-messages.ts';

/** A checkpoint that the run's process plays. What chance gets is looked up where it has been played before. */
export function checkpointPlayer(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  session: SessionState,
): AssessedPlayer {
  const mode = attempt.run.resolved.evaluation.policy_mode;
  return {
    play: (simulators, episodes) => playPolicy(attempt, session, { simulators, episodes, mode }),
    references: (members) => referenceReturns(dependencies, attempt, session, members),
    behave: (simulators, gain) => {
      const request: BehaveRequest = { ...session, member: leaderOf(session.members), simulators, gain };
      return attempt.compute<BehaveResponse>('behave', request);
    },
  };
}
