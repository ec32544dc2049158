import type { Batch, World } from '../simulators/contract.ts';
import { foldIn, type Key, PURPOSE, RandomStream } from '../simulators/random.ts';
import { logProbability, sampleAction } from './action-choice.ts';
import type { Actor, Learner } from './algorithms/contract.ts';
import { DrivenSeats } from './driven-seats.ts';
import { EpisodeReturns } from './episode-return.ts';
import type { EpisodeSource } from './episode-source.ts';
import { EpisodeTally } from './episode-tally.ts';
import { FeatureHistograms } from './feature-histograms.ts';
import type { PartnerPolicies, RunningEpisodes } from './partner-policies.ts';
import { createRollout, type Rollout, STEP_CONTINUES, STEP_TERMINATED, STEP_TRUNCATED } from './rollout-buffer.ts';

/** Where the time of a training round goes. */
export type TrainingStage = 'observing' | 'forward' | 'sampling' | 'stepping' | 'recording' | 'update';

export interface CollectorOptions {
  readonly world: World;
  readonly learner: Learner;
  readonly environmentCount: number;
  readonly stepCount: number;
  /** Of each group, the seats that a network of the learner acts for in some simulator. */
  readonly drivenSeats: readonly (readonly number[])[];
  /** Acts for the seats that policies of others hold. */
  readonly partnerPolicies: PartnerPolicies;
  readonly source: EpisodeSource;
  /** For each simulator of the source, the learners that are present in it. */
  readonly presentLearners: readonly (readonly number[])[];
  /** Names the round: episodes are keyed by it, the environment and their number. */
  readonly roundKey: Key;
  readonly onStage: (stage: TrainingStage) => void;
}

interface GroupCollector {
  readonly seats: DrivenSeats;
  readonly actor: Actor;
  readonly rollout: Rollout;
}

/** Plays B environments in step with the current policy and records what the learners need. One for each round. */
export class Collector implements RunningEpisodes {
  readonly tally: EpisodeTally;
  readonly rollouts: readonly Rollout[];
  private readonly options: CollectorOptions;
  private readonly groups: readonly GroupCollector[];
  private readonly batch: Batch;
  private readonly actions: Int32Array;
  private readonly returns: EpisodeReturns;
  private readonly histograms: FeatureHistograms;
  readonly simulators: Int32Array;
  readonly actionKeys: Key[];
  private readonly episodes: Int32Array;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(options: CollectorOptions, groups: readonly GroupCollector[]) {
    const { world, environmentCount, presentLearners } = options;
    this.options = options;
    this.groups = groups;
    this.rollouts = groups.map((group) => group.rollout);
    this.batch = world.createBatch(environmentCount);
    this.actions = new Int32Array(environmentCount * world.seatCount);
    this.returns = new EpisodeReturns(world, environmentCount);
    this.histograms = new FeatureHistograms(world, presentLearners.length, environmentCount);
    this.tally = new EpisodeTally(presentLearners.length);
    this.simulators = new Int32Array(environmentCount);
    this.episodes = new Int32Array(environmentCount).fill(-1);
    this.actionKeys = Array.from({ length: environmentCount }, () => ({ high: 0, low: 0 }));
    for (let environment = 0; environment < environmentCount; environment += 1) this.startEpisode(environment);
  }

  static async create(options: CollectorOptions): Promise<Collector> {
    const { world, learner, environmentCount, stepCount, drivenSeats } = options;
    const driven = learner.policies.filter((policy) => drivenSeats[policy.group]!.length > 0);
    const groups = await Promise.all(
      driven.map(async (policy): Promise<GroupCollector> => {
        const seats = new DrivenSeats(world, policy, drivenSeats[policy.group]!, environmentCount);
        const rowCount = environmentCount * seats.seats.length;
        return {
          seats,
          actor: await learner.createActor(policy.group, rowCount, { values: true }),
          rollout: createRollout(policy.group, stepCount, rowCount, policy.inputSize),
        };
      }),
    );
    return new Collector(options, groups);
  }

  /**
   * Fills the rollouts with the next block; running episodes go on from the block before.
   * @param options.countsVisits whether to count the states that are visited, which costs 2 % of training
   */
  async collect({ countsVisits }: { countsVisits: boolean }): Promise<void> {
    const { stepCount, onStage } = this.options;
    for (let step = 0; step < stepCount; step += 1) {
      if (countsVisits) this.histograms.add(this.batch, this.simulators);
      await this.forward();
      onStage('sampling');
      for (const group of this.groups) this.act(group, step);
      await this.options.partnerPolicies.act(this.batch, this, this.actions);
      onStage('stepping');
      const stepping = this.batch.step(this.actions);
      if (stepping !== undefined) await stepping;
      this.returns.add(this.batch);
      onStage('recording');
      const someEnded = this.recordStep(step);
      if (someEnded || step === stepCount - 1) await this.recordNextValues(step);
      if (someEnded) this.restartEnded();
    }
    this.linkValues();
  }

  /** Shape [B]: steps of the running episodes. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  /** Visits of the learners in one simulator, counted so far: a histogram for each state feature. */
  visitation(simulator: number): number[][] {
    return this.histograms.ofSeats(simulator, this.options.presentLearners[simulator]!);
  }

  private async forward(): Promise<void> {
    for (const { seats, actor } of this.groups) {
      this.options.onStage('observing');
      seats.observe(this.batch, actor.inputs);
      this.options.onStage('forward');
      await actor.forward();
    }
  }

  private act({ seats, actor, rollout }: GroupCollector, step: number): void {
    const { seatCount } = this.options.world;
    const offset = step * rollout.rowCount;
    rollout.inputs.set(actor.inputs, offset * rollout.inputSize);
    rollout.values.set(actor.values!, offset);
    let row = 0;
    for (let environment = 0; environment < this.batch.environmentCount; environment += 1) {
      const key = this.actionKeys[environment]!;
      const episodeStep = this.returns.lengths[environment]!;
      this.random.rekey(key.high, key.low);
      for (const seat of seats.seats) {
        this.random.seek(episodeStep * seatCount + seat);
        const action = sampleAction(actor.logits, row, seats.actionCount, this.random.nextUniform());
        rollout.actions[offset + row] = action;
        rollout.logProbabilities[offset + row] = logProbability(actor.logits, row, seats.actionCount, action);
        this.actions[environment * seatCount + seat] = action;
        row += 1;
      }
    }
  }

  /** @returns whether some episode ended with this step */
  private recordStep(step: number): boolean {
    const { world, presentLearners } = this.options;
    const { batch } = this;
    let someEnded = false;
    for (const { seats, rollout } of this.groups) {
      let index = step * rollout.rowCount;
      for (let environment = 0; environment < batch.environmentCount; environment += 1) {
        const end = endOfStep(batch, environment);
        const learners = presentLearners[this.simulators[environment]!]!;
        someEnded ||= end !== STEP_CONTINUES;
        for (const seat of seats.seats) {
          const place = environment * world.seatCount + seat;
          rollout.rewards[index] = batch.rewards[place]!;
          rollout.ends[index] = end;
          rollout.learning[index] = learners.includes(seat) ? 1 : 0;
          index += 1;
        }
      }
    }
    return someEnded;
  }

  /** Values of the states after a step, asked for before ended episodes are reset. */
  private async recordNextValues(step: number): Promise<void> {
    await this.forward();
    for (const { actor, rollout } of this.groups) rollout.nextValues.set(actor.values!, step * rollout.rowCount);
  }

  /** Where an episode went on, the value of the next step is already in the rollout. */
  private linkValues(): void {
    for (const { rollout } of this.groups) {
      const { rowCount, ends, nextValues, values } = rollout;
      for (let index = 0; index < ends.length - rowCount; index += 1) {
        if (ends[index] === STEP_CONTINUES) nextValues[index] = values[index + rowCount]!;
      }
    }
  }

  private restartEnded(): void {
    for (let environment = 0; environment < this.batch.environmentCount; environment += 1) {
      if (endOfStep(this.batch, environment) === STEP_CONTINUES) continue;
      this.tally.add(this.simulators[environment]!, {
        return: this.returns.returns[environment]!,
        length: this.returns.lengths[environment]!,
        success: this.batch.success[environment] === 1,
      });
      this.startEpisode(environment);
    }
  }

  private startEpisode(environment: number): void {
    const { source, roundKey, presentLearners } = this.options;
    this.episodes[environment]! += 1;
    const key = foldIn(foldIn(roundKey, environment), this.episodes[environment]!);
    const simulator = source.choose(key);
    this.simulators[environment] = simulator;
    this.actionKeys[environment] = foldIn(key, PURPOSE.actionSampling);
    this.returns.start(environment, presentLearners[simulator]!);
    source.start(this.batch, environment, simulator, key);
  }
}

function endOfStep(batch: Batch, environment: number): number {
  if (batch.ended[environment] === 1) return STEP_TERMINATED;
  return batch.truncated[environment] === 1 ? STEP_TRUNCATED : STEP_CONTINUES;
}
