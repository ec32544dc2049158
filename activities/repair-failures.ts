import { findTrainedBy } from '../infra/postgres/progress-rows.ts';
import { findRun } from '../infra/postgres/run-rows.ts';
import { findRoundFingerprint } from '../infra/postgres/stored-round.ts';
import { ThawError } from '../schemas/errors.ts';
import type { ActivityDependencies } from './dependencies.ts';

// The reason of a run is all that its user is shown, so that the remedy is part of the message.

/** What was made again is not what it was; says why that may be, and what can be done about it. */
export async function madeDifferently(
  { database, fingerprint }: Pick<ActivityDependencies, 'database' | 'fingerprint'>,
  again: { runId: string; round: number; hash: string; made: string; flaw: string },
): Promise<ThawError> {
  const { runId, round, hash, made, flaw } = again;
  const then = await findRoundFingerprint(database, await findTrainedBy(database, runId, round), round);
  const now = fingerprint((await findRun(database, runId)).execution.device);
  const changes = Object.entries(then ?? {})
    .filter(([part, value]) => now[part] !== value)
    .map(([part, value]) => `${part} ${value} (here ${now[part]})`);
  const why =
    changes.length === 0
      ? 'It was trained on a machine of the same kind, so that this is a fault: report it with `thaw diagnose --reproduce`'
      : `It was trained with ${changes.join(', ')}: let a worker on such a machine go on, with the same artifacts`;
  const remedy = `${why}; or bring the artifact back from a backup, and call \`thaw retry --failed\`; or fork the experiment from an earlier round.`;
  return new ThawError(
    'REQUEST_CONFLICT',
    `What the run needs ${flaw}, and made again from round ${round} of ${runId} it is ${made} and not ${hash}. ${remedy}`,
    { remedy },
  );
}

/** A policy that came from a file, or from a run that was deleted. */
export function policyWithoutOrigin(hash: string, flaw: string): ThawError {
  const remedy =
    'Submit the experiment again from its spec, which stores the policy files that it names; then `thaw retry --failed`.';
  return new ThawError(
    'REQUEST_CONFLICT',
    `The policy ${hash} ${flaw}, and no run is known that it came from. ${remedy}`,
    { remedy },
  );
}
