import type { RunPool } from '../infra/postgres/pool-rows.ts';
import type { RunContext } from '../schemas/records.ts';
import type { TrainRequest } from './session-messages.ts';

/** What a training process is asked for one round of a run: a function of committed rows, so that it can be asked again. */
export function trainRequest(
  { variantHash, resolved, seed }: Pick<RunContext, 'variantHash' | 'resolved' | 'seed'>,
  { round, pool, checkpointHash }: { round: number; pool: RunPool; checkpointHash: string | null },
): TrainRequest {
  return {
    variantHash,
    resolved,
    seed,
    members: pool.members,
    checkpointHash,
    roundIndex: round,
    pool: pool.entries.map(({ simulator, weight, randomization, learns }) => ({
      simulator,
      weight,
      randomization,
      learns,
    })),
    episodeRule: pool.episodeRule,
    startsMembers: pool.round === round,
    scoresEpisodes: false,
  };
}
