import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch } from '../../simulators/contract.ts';
import type { Key } from '../../simulators/random.ts';
import { type EpisodeKeys, episodeKeys } from './episode-keys.ts';
import { EpisodeReturns } from './episode-return.ts';
import type { EpisodeSource } from './episode-source.ts';
import { Experience, type ExperienceOptions } from './experience.ts';
import { FeatureHistograms } from './feature-histograms.ts';
import type { EpisodeRule } from '../strategies/contract.ts';
import type { PartnerPolicies, RunningEpisodes } from './partner-policies.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from './rollout-buffer.ts';
import type { CollectOptions, FinishedEpisode, RangeReport } from './range-report.ts';

export interface CollectorOptions extends ExperienceOptions {
  readonly stepCount: number;
  readonly episodeRule: EpisodeRule;
  /** Acts for the seats that policies of others hold. */
  readonly partnerPolicies: PartnerPolicies;
  readonly source: EpisodeSource;
  /** For each simulator of the source, whether its episodes are learnt from. */
  readonly learns: readonly boolean[];
  /** Names the round: episodes are keyed by it, the environment and their number. */
  readonly roundKey: Key;
  /** Whether what was drawn for the episodes of learners is reported. */
  readonly keepsSamples: boolean;
}

/** Plays a range of B environments in step with the current policies and records what the members need. One for each turn. */
export class Collector implements RunningEpisodes {
  private readonly experience: Experience;
  readonly simulators: Int32Array;
  readonly actionKeys: Key[];
  private readonly options: CollectorOptions;
  private readonly batch: Batch;
  private readonly actions: ActionArray;
  private readonly returns: EpisodeReturns;
  private readonly episodes: Int32Array;
  /** Shape [B]: how each environment went on after the step. */
  private readonly ends: Uint8Array;

  private constructor(options: CollectorOptions, experience: Experience) {
    const { world } = options;
    const environmentCount = options.range.count;
    this.options = options;
    this.experience = experience;
    this.batch = world.createBatch(environmentCount);
    this.actions = createActions(world, environmentCount);
    this.returns = new EpisodeReturns(world, environmentCount);
    this.simulators = new Int32Array(environmentCount);
    this.episodes = new Int32Array(environmentCount).fill(-1);
    this.ends = new Uint8Array(environmentCount);
    this.actionKeys = Array.from({ length: environmentCount }, () => ({ high: 0, low: 0 }));
    for (let environment = 0; environment < environmentCount; environment += 1) this.startEpisode(environment);
  }

  static async create(options: CollectorOptions): Promise<Collector> {
    return new Collector(options, await Experience.create(options));
  }

  /** Shape [B]: steps of the running episodes. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  /**
   * Fills its rows of the block with the next steps; running episodes go on from the block before.
   * @param options.countsVisits whether to count the states that are visited, which costs 2 % of training
   */
  async collect({ countsVisits }: CollectOptions): Promise<RangeReport> {
    const { batch, actions, experience, simulators } = this;
    const { stepCount, partnerPolicies, onStage } = this.options;
    const visits = countsVisits ? this.createHistograms() : null;
    const ended: FinishedEpisode[] = [];
    let scoringEnvSteps = 0;
    for (let step = 0; step < stepCount; step += 1) {
      visits?.add(batch, simulators);
      await experience.forward(batch, this.lengths);
      onStage('sampling');
      experience.act(step, this, actions);
      await partnerPolicies.act(batch, this, actions);
      onStage('stepping');
      experience.foresee(batch, actions);
      const stepping = batch.step(actions);
      if (stepping !== undefined) await stepping;
      this.returns.add(batch);
      onStage('recording');
      scoringEnvSteps += this.countScoring();
      const someEnded = this.noteEnds();
      experience.record(step, batch.rewards, this.ends, simulators);
      if (someEnded || step === stepCount - 1) await this.recordNext(step);
      if (someEnded) ended.push(...this.restartEnded(step));
    }
    return { ended, scoringEnvSteps, visits: visits && this.visitsOfLearners(visits) };
  }

  /** Nothing is played any more. */
  close(): void {
    this.batch.close?.();
  }

  private createHistograms(): FeatureHistograms {
    const { world, learns, range } = this.options;
    return new FeatureHistograms(world, learns.length, range.count);
  }

  private visitsOfLearners(histograms: FeatureHistograms): number[][][] {
    return this.options.cast.presentLearners.map((learners, simulator) => histograms.ofSeats(simulator, learners));
  }

  /** Environments that played this step in a simulator that nobody learns from. */
  private countScoring(): number {
    const { learns } = this.options;
    return this.simulators.reduce((count, simulator) => count + (learns[simulator]! ? 0 : 1), 0);
  }

  /** @returns whether some episode ended with this step */
  private noteEnds(): boolean {
    const { batch, ends } = this;
    let someEnded = false;
    for (let environment = 0; environment < ends.length; environment += 1) {
      const end = endOfStep(batch, environment);
      ends[environment] = end;
      someEnded ||= end !== STEP_CONTINUES;
    }
    return someEnded;
  }

  /** What the networks make of the states after a step, asked for before ended episodes are reset. */
  private async recordNext(step: number): Promise<void> {
    await this.experience.forward(this.batch, this.lengths);
    this.experience.recordNext(step);
  }

  private restartEnded(step: number): FinishedEpisode[] {
    const ended: FinishedEpisode[] = [];
    for (let environment = 0; environment < this.ends.length; environment += 1) {
      if (this.ends[environment] === STEP_CONTINUES) continue;
      ended.push(this.finishedEpisode(environment, step));
      this.startEpisode(environment);
    }
    return ended;
  }

  private finishedEpisode(environment: number, step: number): FinishedEpisode {
    const { source, cast, range, keepsSamples } = this.options;
    const simulator = this.simulators[environment]!;
    const isSample = keepsSamples && cast.presentLearners[simulator]!.length > 0;
    return {
      environment: range.first + environment,
      episode: this.episodes[environment]!,
      step,
      simulator,
      return: this.returns.returns[environment]!,
      length: this.returns.lengths[environment]!,
      success: this.batch.success[environment] === 1,
      drawn: isSample ? source.drawn(simulator, this.keysOf(environment).start) : null,
    };
  }

  private startEpisode(environment: number): void {
    const { source, cast } = this.options;
    this.episodes[environment]! += 1;
    const { start, actions } = this.keysOf(environment);
    const simulator = source.choose(start);
    this.simulators[environment] = simulator;
    this.actionKeys[environment] = actions;
    this.returns.start(environment, cast.presentLearners[simulator]!);
    source.start(this.batch, environment, simulator, start);
  }

  /** Of the episode that runs in an environment. */
  private keysOf(environment: number): EpisodeKeys {
    const { roundKey, episodeRule, range } = this.options;
    const place = { environment: range.first + environment, episode: this.episodes[environment]! };
    return episodeKeys(roundKey, { ...place, groupSize: episodeRule.groupSize });
  }
}

function endOfStep(batch: Batch, environment: number): number {
  if (batch.ended[environment] === 1) return STEP_TERMINATED;
  return batch.truncated[environment] === 1 ? STEP_TRUNCATED : STEP_CONTINUES;
}
