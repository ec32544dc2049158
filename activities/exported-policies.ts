import { type ArtifactRecord, commitPolicies } from '../infra/postgres/artifact-rows.ts';
import type { Member } from '../learning/strategies/contract.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { checkpointOfRound } from './evaluate-checkpoint.ts';
import type { ExportResponse, SessionState } from './session-messages.ts';

/** The files of a checkpoint's policies: of the run's own, and of the partner that was trained beside it. */
export async function exportPolicies(attempt: Attempt, session: SessionState): Promise<readonly ArtifactRecord[]> {
  const policies = await attempt.compute<ExportResponse>('export', session);
  return policies.flatMap(({ member, group, artifact }) => {
    const kind = artifactKind(session.members, member);
    return kind === null ? [] : [{ kind: `${kind}:${group}`, ...artifact }];
  });
}

/** A run that cannot go on keeps the policies that it had after its last whole round. */
export async function keepPolicies(
  dependencies: ActivityDependencies,
  attempt: Attempt,
  { round }: { round: number },
): Promise<void> {
  const { session } = await checkpointOfRound(dependencies, attempt, round);
  const artifacts = await exportPolicies(attempt, session);
  await commitPolicies(dependencies.database, attempt.token, { round, artifacts });
}

/** Of the members in the learners' seats only the run's policy is kept; a trained partner's beside it. */
function artifactKind(members: readonly Member[], name: string): 'policy' | 'partner' | null {
  if (name === leaderOf(members)) return 'policy';
  return members.some((member) => member.name === name && member.seats === 'partners') ? 'partner' : null;
}
