import type { TrainerEvent } from '../infra/trainers/trainer-report.ts';
import { type EpisodeOutcome, EpisodeTally } from '../learning/rollout/episode-tally.ts';
import { mean } from '../learning/statistics/moments.ts';
import { leaderOf } from '../learning/strategies/leader.ts';
import { ThawError } from '../schemas/errors.ts';
import type { DivergedRound, TrainedRound, TrainRequest } from './session-messages.ts';

/** A round without what the process that computes it adds. */
export type ForeignlyTrained = Omit<TrainedRound, 'checkpoint' | 'segments' | 'idleShares' | 'peakGpuMib'>;

/** What is known of a round that a program of the user trains: what it played here, and what it says. */
export class ForeignAccount {
  private readonly request: TrainRequest;
  private readonly envStepsMax: number;
  private readonly bySimulator: EpisodeTally;
  private readonly all = new EpisodeTally(1);
  private readonly metrics = new Map<string, number[]>();
  /** Steps of environments of the world that is played here. */
  private playedEnvSteps = 0;
  /** What it last said of its own. */
  private toldEnvSteps = 0;

  /** @param envStepsMax of the round */
  constructor(request: TrainRequest, envStepsMax: number) {
    this.request = request;
    this.envStepsMax = envStepsMax;
    this.bySimulator = new EpisodeTally(request.pool.length);
  }

  /** Env steps so far, for display. */
  get shownEnvSteps(): number {
    return Math.min(this.envStepsMax, this.playedEnvSteps + this.toldEnvSteps);
  }

  /** A joint step of so many environments is about to be played here. @throws REQUEST_CONFLICT when the round has none left */
  addPlayed(environmentCount: number): void {
    if (this.playedEnvSteps >= this.envStepsMax) {
      const message = `the ${this.envStepsMax} env steps of this round are played`;
      throw new ThawError('REQUEST_CONFLICT', message, { remedy: 'Stop when no steps are left, and save.' });
    }
    this.playedEnvSteps += environmentCount;
  }

  /** An episode is over. @param simulator index in the pool */
  add(simulator: number, outcome: EpisodeOutcome): void {
    this.bySimulator.add(simulator, outcome);
    this.all.add(0, outcome);
  }

  /** @throws REQUEST_BAD_ARGUMENT when it tells of a simulator that the pool does not have */
  take({ env_steps: envSteps, metrics = {}, episode }: TrainerEvent): void {
    this.toldEnvSteps = envSteps ?? this.toldEnvSteps;
    for (const [name, value] of Object.entries(metrics)) {
      this.metrics.set(name, [...(this.metrics.get(name) ?? []), value]);
    }
    if (episode === undefined) return;
    const { simulator: name, ...outcome } = episode;
    const names = this.request.pool.map((entry) => entry.name);
    if (!names.includes(name)) {
      const message = `the trainer tells of an episode in "${name}"; the simulators of this round are ${names.join(', ')}`;
      throw new ThawError('REQUEST_BAD_ARGUMENT', message);
    }
    this.add(names.indexOf(name), outcome);
  }

  /** @param ownEnvSteps of environments of the program's own */
  trained(ownEnvSteps: number, visitation: TrainedRound['visitation']): ForeignlyTrained {
    const { episodes, returnMean } = this.all.summary(0);
    return {
      divergence: null,
      envSteps: this.playedEnvSteps + ownEnvSteps,
      scoringEnvSteps: 0,
      episodes: this.request.pool.map((_, simulator) => ({ ...this.bySimulator.summary(simulator), scores: null })),
      samples: null,
      members: [{ name: leaderOf(this.request.members), episodes, returnMean }],
      visitation,
      metrics: Object.fromEntries([...this.metrics].map(([name, values]) => [name, mean(values)])),
    };
  }

  diverged({ what, optimizer_step: optimizerStep }: { what: string; optimizer_step: number }): DivergedRound {
    const finite = [...this.metrics].flatMap(([name, values]): [string, number][] => {
      const last = values.findLast(Number.isFinite);
      return last === undefined ? [] : [[name, last]];
    });
    const member = leaderOf(this.request.members);
    return { divergence: { member, what, optimizerStep, lastFinite: Object.fromEntries(finite) } };
  }
}
