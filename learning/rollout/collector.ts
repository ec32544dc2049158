import type { Batch } from '../../simulators/contract.ts';
import type { Key } from '../../simulators/random.ts';
import { type EpisodeKeys, episodeKeys } from './episode-keys.ts';
import { EpisodeReturns } from './episode-return.ts';
import type { EpisodeSource } from './episode-source.ts';
import { Experience, type ExperienceOptions } from './experience.ts';
import { FeatureHistograms } from './feature-histograms.ts';
import type { PartnerPolicies, RunningEpisodes } from './partner-policies.ts';
import { STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from './rollout-buffer.ts';
import type { RoundRecords } from './round-records.ts';

export interface CollectorOptions extends ExperienceOptions {
  /** Acts for the seats that policies of others hold. */
  readonly partnerPolicies: PartnerPolicies;
  readonly source: EpisodeSource;
  /** For each simulator of the source, whether its episodes are learnt from. */
  readonly learns: readonly boolean[];
  /** Names the round: episodes are keyed by it, the environment and their number. */
  readonly roundKey: Key;
  readonly records: RoundRecords;
  /** The place of the member in the learners' seats in the records. */
  readonly memberIndex: number;
}

/** Plays B environments in step with the current policies and records what the members need. One for each turn. */
export class Collector implements RunningEpisodes {
  readonly experience: Experience;
  readonly simulators: Int32Array;
  readonly actionKeys: Key[];
  private readonly options: CollectorOptions;
  private readonly batch: Batch;
  private readonly actions: Int32Array;
  private readonly returns: EpisodeReturns;
  private readonly histograms: FeatureHistograms;
  private readonly episodes: Int32Array;
  /** Shape [B]: how each environment went on after the step. */
  private readonly ends: Uint8Array;

  private constructor(options: CollectorOptions, experience: Experience) {
    const { world, environmentCount, presentLearners } = options;
    this.options = options;
    this.experience = experience;
    this.batch = world.createBatch(environmentCount);
    this.actions = new Int32Array(environmentCount * world.seatCount);
    this.returns = new EpisodeReturns(world, environmentCount);
    this.histograms = new FeatureHistograms(world, presentLearners.length, environmentCount);
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

  /** Visits of the learners in one simulator, counted so far: a histogram for each state feature. */
  visitation(simulator: number): number[][] {
    return this.histograms.ofSeats(simulator, this.options.presentLearners[simulator]!);
  }

  /**
   * Fills the experience with the next block; running episodes go on from the block before.
   * @param options.countsVisits whether to count the states that are visited, which costs 2 % of training
   */
  async collect({ countsVisits }: { countsVisits: boolean }): Promise<void> {
    const { batch, actions, experience } = this;
    const { stepCount, partnerPolicies, onStage } = this.options;
    for (let step = 0; step < stepCount; step += 1) {
      if (countsVisits) this.histograms.add(batch, this.simulators);
      await experience.forward(batch);
      onStage('sampling');
      experience.act(step, this, actions);
      await partnerPolicies.act(batch, this, actions);
      onStage('stepping');
      const stepping = batch.step(actions);
      if (stepping !== undefined) await stepping;
      this.returns.add(batch);
      onStage('recording');
      const someEnded = this.noteEnds();
      experience.record(step, batch.rewards, this.ends, this.simulators);
      if (someEnded || step === stepCount - 1) await this.recordNextValues(step);
      if (someEnded) this.restartEnded(step);
    }
    experience.finishBlock();
  }

  /** @returns whether some episode ended with this step */
  private noteEnds(): boolean {
    const { batch, simulators, ends } = this;
    const { learns, records } = this.options;
    let someEnded = false;
    for (let environment = 0; environment < ends.length; environment += 1) {
      const end = endOfStep(batch, environment);
      ends[environment] = end;
      someEnded ||= end !== STEP_CONTINUES;
      if (!learns[simulators[environment]!]!) records.scoringEnvSteps += 1;
    }
    return someEnded;
  }

  /** Values of the states after a step, asked for before ended episodes are reset. */
  private async recordNextValues(step: number): Promise<void> {
    await this.experience.forward(this.batch);
    this.experience.recordNextValues(step);
  }

  private restartEnded(step: number): void {
    const { records, memberIndex: member, source, presentLearners } = this.options;
    for (let environment = 0; environment < this.batch.environmentCount; environment += 1) {
      if (this.ends[environment] === STEP_CONTINUES) continue;
      const outcome = {
        return: this.returns.returns[environment]!,
        length: this.returns.lengths[environment]!,
        success: this.batch.success[environment] === 1,
      };
      const simulator = this.simulators[environment]!;
      records.add({ member, simulator }, outcome);
      if (records.samples !== null && presentLearners[simulator]!.length > 0) {
        records.samples.add(simulator, source.drawn(simulator, this.keysOf(environment).start), outcome);
      }
      this.experience.addEnd({ environment, episode: this.episodes[environment]!, step, ...outcome });
      this.startEpisode(environment);
    }
  }

  private startEpisode(environment: number): void {
    const { source, presentLearners } = this.options;
    this.episodes[environment]! += 1;
    const { start, actions } = this.keysOf(environment);
    const simulator = source.choose(start);
    this.simulators[environment] = simulator;
    this.actionKeys[environment] = actions;
    this.returns.start(environment, presentLearners[simulator]!);
    source.start(this.batch, environment, simulator, start);
  }

  /** Of the episode that runs in an environment. */
  private keysOf(environment: number): EpisodeKeys {
    const { roundKey, episodeRule } = this.options;
    const place = { environment, episode: this.episodes[environment]!, groupSize: episodeRule.groupSize };
    return episodeKeys(roundKey, place);
  }
}

function endOfStep(batch: Batch, environment: number): number {
  if (batch.ended[environment] === 1) return STEP_TERMINATED;
  return batch.truncated[environment] === 1 ? STEP_TRUNCATED : STEP_CONTINUES;
}
