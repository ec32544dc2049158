import type { RunPool } from '../infra/postgres/pool-rows.ts';
import { EpisodeTally } from '../learning/rollout/episode-tally.ts';
import { ONE_LEARNER, type CandidateScores, type Proposal } from '../learning/strategies/contract.ts';
import { keyFrom, PURPOSE } from '../simulators/random.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { envStepsOf } from './panels.ts';
import { playPolicy } from './play-policy.ts';
import { requirePolicies, wholeCheckpoint } from './repair-checkpoint.ts';

/** Its place beside the streams of mining; see `mine-request.ts`. */
const PROBES = -3;

/** Plays what a proposal wants to know of its candidates, with sampled actions of the run's policy. */
export async function playProbes(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { round, known, proposal }: { round: number; known: RunPool | null; proposal: Proposal },
): Promise<{ scores: CandidateScores; envSteps: number }> {
  // Asked at every decision, of strategies that mostly want to know nothing.
  if (proposal.probes.length === 0) return { scores: {}, envSteps: 0 };
  const members = known?.members ?? ONE_LEARNER;
  const checkpointHash = await wholeCheckpoint(dependencies, attempt, { runId: attempt.run.id, round, learns: false });
  await requirePolicies(dependencies, attempt, proposal.candidates);
  const session = attempt.session(checkpointHash, members);
  const scores: Record<string, CandidateScores[string]> = {};
  // Not the episodes of an evaluation: what is chosen by them must not have been seen by what judges it.
  const key = keyFrom(attempt.run.seed, PURPOSE.mining, round, PROBES);
  let envSteps = 0;
  for (const { candidate, episodes } of proposal.probes) {
    const { simulator } = proposal.candidates.find(({ name }) => name === candidate)!;
    const simulators = [{ simulator, randomization: {} }];
    const played = await playPolicy(attempt, session, { simulators, episodes, mode: 'sampled', key });
    const tally = new EpisodeTally(1);
    for (const outcome of played[0]!.episodes) tally.add(0, outcome);
    scores[candidate] = tally.summary(0);
    envSteps += envStepsOf(played);
  }
  return { scores, envSteps };
}
