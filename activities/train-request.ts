import type { AttemptSettings } from '../infra/postgres/attempt-rows.ts';
import type { RunPool } from '../infra/postgres/pool-rows.ts';
import type { Strategy } from '../learning/strategies/contract.ts';
import type { RunContext } from '../schemas/records.ts';
import type { TrainRequest } from './session-messages.ts';

type TrainedRun = Pick<RunContext, 'variantHash' | 'resolved' | 'seed'> & Partial<Pick<RunContext, 'execution'>>;

interface TrainedRound {
  readonly round: number;
  readonly pool: RunPool;
  readonly checkpointHash: string | null;
  readonly strategy: Strategy;
  readonly settings: Pick<AttemptSettings, 'samplerProcesses'> & Partial<Pick<AttemptSettings, 'chunkRows'>>;
}

/** What a training process is asked for one round of a run: a function of committed rows, so that it can be asked again. */
export function trainRequest(
  { variantHash, resolved, seed, execution }: TrainedRun,
  { round, pool, checkpointHash, strategy, settings }: TrainedRound,
): TrainRequest {
  const needs = strategy.needs(resolved.strategy);
  const keepsSamples = needs.includes('episode_samples');
  return {
    variantHash,
    resolved,
    seed,
    members: pool.members,
    checkpointHash,
    chunkRows: settings.chunkRows,
    device: execution?.device,
    roundIndex: round,
    pool: pool.entries.map(({ name, simulator, weight, randomization, learns }) => ({
      name,
      simulator,
      weight,
      randomization,
      learns,
    })),
    episodeRule: pool.episodeRule,
    startsMembers: pool.round === round,
    scoresEpisodes: keepsSamples || needs.includes('episode_scores'),
    keepsSamples,
    samplerCount: settings.samplerProcesses,
  };
}
