import type { EvaluateResponse, TrainResponse } from '../../../activities/session-messages.ts';
import { trainedRound } from '../../../activities/trained-round.ts';
import { trainRequest } from '../../../activities/train-request.ts';
import type { RunPool } from '../../../infra/postgres/pool-rows.ts';
import { leaderOf } from '../../../learning/strategies/leader.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../../../simulators/contract.ts';
import { variantHash } from '../../../specification/identity.ts';
import { openWorld } from '../../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../../specification/registries.ts';
import { decidedPool } from '../decided-pool.ts';
import type { TrainingProcess } from './training-process.ts';

/** As in `activities/reference-returns.ts`. */
const RANDOM_EPISODES = 320;

/** How a round is computed; what comes out does not depend on it. */
export interface RoundSettings {
  readonly samplerProcesses: number;
  readonly chunkRows?: number;
}

/** One round of training as its process did it. */
export interface MeasuredRound {
  readonly envSteps: number;
  readonly wallS: number;
  readonly peakRssMib: number;
  /** SHA-256 of the checkpoint, in which everything is that the next round needs. */
  readonly checkpointHash: string;
}

/** A run of a variant whose strategy decides once: its rounds in a training process, without workflow and database. */
export class PlainRun {
  private readonly resolved: ResolvedVariant;
  private readonly seed: number;
  private readonly process: TrainingProcess;
  private readonly world: World;
  private readonly pool: RunPool;
  private rounds = 0;
  private checkpointHash: string | null = null;

  constructor(resolved: ResolvedVariant, { seed, process }: { seed: number; process: TrainingProcess }) {
    this.resolved = resolved;
    this.seed = seed;
    this.process = process;
    this.world = openWorld(resolved, DEFAULT_REGISTRIES);
    this.pool = decidedPool(resolved, this.world, seed);
  }

  /** Those that it trains on. */
  get simulators(): readonly SimulatorData[] {
    return this.pool.entries.map(({ simulator }) => simulator);
  }

  /** Trains the next round. */
  async train(settings: RoundSettings = { samplerProcesses: 1 }): Promise<MeasuredRound> {
    const { resolved, seed, pool, checkpointHash } = this;
    const strategy = DEFAULT_REGISTRIES.strategies[resolved.strategy.kind]!;
    const request = trainRequest(
      { variantHash: variantHash(resolved), resolved, seed },
      { round: this.rounds, pool, checkpointHash, strategy, settings },
    );
    const { response, wallS, peakRssMib } = await this.process.ask<TrainResponse>('train', request);
    const { checkpoint, envSteps } = trainedRound(response);
    this.rounds += 1;
    this.checkpointHash = checkpoint.hash;
    return { envSteps, wallS, peakRssMib, checkpointHash: checkpoint.hash };
  }

  /** Trains what is left of the budget. */
  async trainAll(): Promise<MeasuredRound[]> {
    const rounds: MeasuredRound[] = [];
    while (this.rounds < this.resolved.budget.rounds) rounds.push(await this.train());
    return rounds;
  }

  /** Returns of the policy as it is, on what it trains on, simulator after simulator. */
  async returns(): Promise<number[]> {
    return this.play('policy', this.resolved.evaluation.final_episodes);
  }

  /** Returns of random actions in the same simulators. */
  async randomReturns(): Promise<number[]> {
    return this.play('random', RANDOM_EPISODES);
  }

  private async play(player: 'policy' | 'random', episodes: number): Promise<number[]> {
    const { resolved, seed, pool, checkpointHash } = this;
    const { response } = await this.process.ask<EvaluateResponse>('evaluate', {
      variantHash: variantHash(resolved),
      resolved,
      seed,
      members: pool.members,
      checkpointHash,
      player,
      member: leaderOf(pool.members),
      simulators: pool.entries.map(({ simulator, randomization }) => ({ simulator, randomization })),
      episodes,
      mode: player === 'random' ? 'sampled' : resolved.evaluation.policy_mode,
    });
    return response.flatMap((played) => played.episodes.map((episode) => episode.return));
  }
}
