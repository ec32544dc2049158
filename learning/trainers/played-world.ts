import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import { presentLearners } from '../rollout/driven-seats.ts';
import { episodeKeys } from '../rollout/episode-keys.ts';
import { EpisodeReturns } from '../rollout/episode-return.ts';
import { EpisodeSource } from '../rollout/episode-source.ts';
import type { EpisodeOutcome } from '../rollout/episode-tally.ts';
import { FeatureHistograms } from '../rollout/feature-histograms.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from '../rollout/partner-policies.ts';
import type { TrainingSimulator } from '../rollout/played-round.ts';

// Letters: B environments, N seats, G seats of a group, O observation features and A actions of that group, W numbers of an action.

/** What a seat is to whoever trains: somebody else acts; its policy acts and does not learn from it; it acts and learns. */
const SEAT = { other: 0, self: 1, learner: 2 } as const;

export interface PlayedWorldOptions {
  readonly world: World;
  readonly learners: readonly number[];
  readonly pool: readonly TrainingSimulator[];
  readonly groupSize: number;
  readonly seed: number;
  readonly roundIndex: number;
  readonly environmentCount: number;
  readonly loadPolicy: PolicyLoader;
  /** Hears of every finished episode. */
  readonly onEpisode: (simulator: number, outcome: EpisodeOutcome) => void;
}

/**
 * The pool of a round for somebody else's program to play: the simulators, partners, draws and chance of a round of ours.
 * An environment whose episode is over begins the next at once; what it saw last is in `final`. The caller gives actions for
 * all seats, and those that somebody else holds are written over.
 */
export class PlayedWorld implements RunningEpisodes {
  /** By group, shape [B G O]: what the seats see now. */
  readonly observations: readonly Float32Array[];
  /** The same before the next episodes began; that of environments whose episode goes on is the same as now. */
  readonly final: readonly Float32Array[];
  /** By group, shape [B G A]: 1 where an action is legal; empty where all always are. */
  readonly masks: readonly Uint8Array[];
  /** Shape [B N]: rewards of the last step. */
  readonly rewards: Float32Array;
  /** Shape [B]: how the last step ended an episode: by the task's rules, or at its most steps. */
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  /** Shape [B N]: see `SEAT`. */
  readonly seats: Uint8Array;
  /** Shape [B]: index of the simulator. */
  readonly simulators: Int32Array;
  readonly actionKeys: Key[];
  /** Shape [B N W]: to be filled before `step`. */
  readonly actions: ActionArray;
  private readonly options: PlayedWorldOptions;
  private readonly batch: Batch;
  private readonly source: EpisodeSource;
  private readonly returns: EpisodeReturns;
  private readonly histograms: FeatureHistograms;
  private readonly partners: PartnerPolicies;
  private readonly roundKey: Key;
  /** Shape [B]: episodes that each environment has begun. */
  private readonly begun: Int32Array;

  private constructor(options: PlayedWorldOptions, partners: PartnerPolicies) {
    const { world, pool, environmentCount: count, seed, roundIndex } = options;
    this.options = options;
    this.partners = partners;
    this.batch = world.createBatch(count);
    this.source = new EpisodeSource(world, pool);
    this.returns = new EpisodeReturns(world, count);
    this.histograms = new FeatureHistograms(world, pool.length, count);
    this.roundKey = keyFrom(seed, PURPOSE.episode, roundIndex);
    this.observations = world.groups.map(
      (group) => new Float32Array(count * group.seats.length * group.observationSize),
    );
    this.final = this.observations.map((array) => new Float32Array(array.length));
    this.masks = world.groups.map(({ seats, actions, masked }) => {
      const width = masked === true && actions.kind === 'discrete' ? actions.count : 0;
      return new Uint8Array(count * seats.length * width);
    });
    this.rewards = new Float32Array(count * world.seatCount);
    [this.ended, this.truncated] = [new Uint8Array(count), new Uint8Array(count)];
    this.seats = new Uint8Array(count * world.seatCount);
    this.simulators = new Int32Array(count);
    this.begun = new Int32Array(count);
    this.actionKeys = Array.from({ length: count }, () => ({ high: 0, low: 0 }));
    this.actions = createActions(world, count);
  }

  /** With every environment at the start of its first episode. */
  static async create(options: PlayedWorldOptions): Promise<PlayedWorld> {
    const { world, pool, environmentCount, loadPolicy } = options;
    const simulators = pool.map(({ simulator }) => simulator);
    const partners = await PartnerPolicies.create(world, simulators, { environmentCount, load: loadPolicy });
    const played = new PlayedWorld(options, partners);
    for (let environment = 0; environment < environmentCount; environment += 1) played.begin(environment);
    played.look(played.observations);
    return played;
  }

  /** Shape [B]: steps of the running episodes. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  /** By simulator: the states in which learners acted so far. */
  get visitation(): (readonly number[][])[] {
    const { pool, learners } = this.options;
    return pool.map(({ simulator }, index) => this.histograms.ofSeats(index, presentLearners(learners, simulator)));
  }

  /** One joint step of every environment with `actions`. */
  async step(): Promise<void> {
    const { batch, actions, returns } = this;
    this.histograms.add(batch, this.simulators);
    await this.partners.act(batch, this, actions);
    const stepping = batch.step(actions);
    if (stepping !== undefined) await stepping;
    returns.add(batch);
    this.rewards.set(batch.rewards);
    this.ended.set(batch.ended);
    this.truncated.set(batch.truncated);
    this.look(this.final);
    const isOver = this.endEpisodes();
    if (isOver) this.look(this.observations);
    else for (const [group, seen] of this.observations.entries()) seen.set(this.final[group]!);
  }

  async release(): Promise<void> {
    this.batch.close?.();
    await this.partners.release();
  }

  private endEpisodes(): boolean {
    const { batch, returns } = this;
    let isOver = false;
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      if (batch.ended[environment] === 0 && batch.truncated[environment] === 0) continue;
      isOver = true;
      this.options.onEpisode(this.simulators[environment]!, {
        return: returns.returns[environment]!,
        length: returns.lengths[environment]!,
        success: batch.success[environment] === 1,
      });
      this.begin(environment);
    }
    return isOver;
  }

  private begin(environment: number): void {
    const { learners, pool, groupSize } = this.options;
    const episode = this.begun[environment]!;
    this.begun[environment]! += 1;
    const keys = episodeKeys(this.roundKey, { environment, episode, groupSize });
    const simulator = this.source.choose(keys.start);
    this.actionKeys[environment] = keys.actions;
    this.simulators[environment] = simulator;
    this.source.start(this.batch, environment, simulator, keys.start);
    const present = presentLearners(learners, pool[simulator]!.simulator);
    this.returns.start(environment, present);
    this.seatPlayers(environment, present);
  }

  private seatPlayers(environment: number, present: readonly number[]): void {
    const { world, pool } = this.options;
    const { simulator, learns } = pool[this.simulators[environment]!]!;
    for (let seat = 0; seat < world.seatCount; seat += 1) {
      const isOurs = (simulator.partners[String(seat)]?.kind ?? 'self') === 'self';
      const role = !isOurs ? SEAT.other : learns && present.includes(seat) ? SEAT.learner : SEAT.self;
      this.seats[environment * world.seatCount + seat] = role;
    }
  }

  private look(observations: readonly Float32Array[]): void {
    for (const [group, seen] of observations.entries()) this.batch.observe(group, seen);
    for (const [group, masks] of this.masks.entries()) if (masks.length > 0) this.batch.actionMask!(group, masks);
  }
}
