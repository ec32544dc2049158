import { findReference, insertReference } from '../infra/postgres/reference-rows.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { PanelMember } from './panels.ts';
import type { EvaluateRequest, EvaluateResponse, SessionState } from './session-messages.ts';

/** r(s) is always measured over this many episodes, whatever a spec's own numbers are. */
export const REFERENCE_EPISODES = 320;

/** Returns of the random policy on every member, by reference hash; it is played where nobody has played it yet. */
export async function referenceReturns(
  { database }: ActivityDependencies,
  attempt: Attempt,
  session: SessionState,
  members: readonly PanelMember[],
): Promise<Map<string, number[]>> {
  const { seed } = attempt.run.resolved.evaluation;
  const known = new Map<string, number[]>();
  const missing = new Map<string, PanelMember>();
  for (const member of members) {
    const returns = await findReference(database, member.referenceHash, { seed, episodes: REFERENCE_EPISODES });
    if (returns === null) missing.set(member.referenceHash, member);
    else known.set(member.referenceHash, returns);
  }
  if (missing.size === 0) return known;
  const request: EvaluateRequest = {
    ...session,
    player: 'random',
    member: leaderOf(session.members),
    simulators: [...missing.values()].map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes: REFERENCE_EPISODES,
    mode: 'sampled',
  };
  const played = await attempt.compute<EvaluateResponse>('evaluate', request);
  for (const [index, hash] of [...missing.keys()].entries()) {
    const returns = played[index]!.episodes.map((outcome) => outcome.return);
    await insertReference(database, hash, { seed, returns });
    known.set(hash, returns);
  }
  return known;
}
