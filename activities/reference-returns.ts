import { findReference, insertReference } from '../infra/postgres/reference-rows.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import type { PanelMember } from './panels.ts';
import type { EvaluateRequest, EvaluateResponse, SessionState } from './session-messages.ts';

type Evaluation = Pick<ResolvedVariant['evaluation'], 'reference_episodes'>;

/** Of specs that say nothing, and from before they could. */
const REFERENCE_EPISODES = 320;

/** Over how many episodes r(s) is measured. */
export function referenceEpisodes({ reference_episodes: episodes = REFERENCE_EPISODES }: Evaluation): number {
  return episodes;
}

/** Returns of the random policy on every member, by reference hash; it is played where nobody has played it yet. */
export async function referenceReturns(
  { database }: ActivityDependencies,
  attempt: Attempt,
  session: SessionState,
  members: readonly PanelMember[],
): Promise<Map<string, number[]>> {
  const { evaluation } = attempt.run.resolved;
  const { seed } = evaluation;
  const episodes = referenceEpisodes(evaluation);
  const known = new Map<string, number[]>();
  const missing = new Map<string, PanelMember>();
  for (const member of members) {
    const returns = await findReference(database, member.referenceHash, { seed, episodes });
    if (returns === null) missing.set(member.referenceHash, member);
    else known.set(member.referenceHash, returns);
  }
  if (missing.size === 0) return known;
  const request: EvaluateRequest = {
    ...session,
    player: 'random',
    member: leaderOf(session.members),
    simulators: [...missing.values()].map(({ simulator, randomization }) => ({ simulator, randomization })),
    episodes,
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
