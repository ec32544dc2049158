import type { Database } from '../infra/postgres/database.ts';
import type { RunPool } from '../infra/postgres/pool-rows.ts';
import { findCheckpoint } from '../infra/postgres/progress-rows.ts';
import { EpisodeTally } from '../learning/rollout/episode-tally.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { ONE_LEARNER, type CandidateScores, type Proposal } from '../learning/strategies/contract.ts';
import type { Attempt } from './attempt.ts';
import { envStepsOf } from './panels.ts';
import type { EvaluateRequest, EvaluateResponse } from './session-messages.ts';

/** Plays what a proposal wants to know of its candidates, with sampled actions of the run's policy. */
export async function playProbes(
  database: Database,
  attempt: Attempt,
  { round, known, proposal }: { round: number; known: RunPool | null; proposal: Proposal },
): Promise<{ scores: CandidateScores; envSteps: number }> {
  const members = known?.members ?? ONE_LEARNER;
  const session = attempt.session(await findCheckpoint(database, attempt.run.id, round), members);
  const scores: Record<string, CandidateScores[string]> = {};
  let envSteps = 0;
  for (const { candidate, episodes } of proposal.probes) {
    const { simulator } = proposal.candidates.find(({ name }) => name === candidate)!;
    const request: EvaluateRequest = {
      ...session,
      player: 'policy',
      member: leaderOf(members),
      simulators: [{ simulator, randomization: {} }],
      episodes,
      mode: 'sampled',
    };
    const played = await attempt.compute<EvaluateResponse>('evaluate', request);
    const tally = new EpisodeTally(1);
    for (const outcome of played[0]!.episodes) tally.add(0, outcome);
    scores[candidate] = tally.summary(0);
    envSteps += envStepsOf(played);
  }
  return { scores, envSteps };
}
