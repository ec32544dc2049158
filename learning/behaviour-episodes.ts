import { ThawError } from '../schemas/errors.ts';
import type { Batch, World } from '../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { sampleAction } from './action-choice.ts';
import type { Actor, Learner } from './algorithms/contract.ts';
import { DrivenSeats, drivenSeatsOf, presentLearners, trainedSeats, trainedSeatsOf } from './driven-seats.ts';
import { EpisodeReturns } from './episode-return.ts';
import { EpisodeSource, type WeightedSimulator } from './episode-source.ts';
import type { EpisodeOutcome } from './episode-tally.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from './partner-policies.ts';

// Letters: B environments, N seats, D driven seats of a group.

/** Groups of episodes that start alike, and episodes of a group. */
export const GROUP_COUNT = 32;
export const GROUP_SIZE = 8;
/** B: all are played at once. Fixed, so that a forward pass has the same shape whatever the pool is. */
export const EPISODE_COUNT = GROUP_COUNT * GROUP_SIZE;

type Policies = Pick<Learner, 'policies' | 'createActor'>;

export interface BehaviourEpisodesOptions {
  readonly world: World;
  readonly learner: Policies;
  /** Holds the seats of partners of the kind `trained`; null when there are none. */
  readonly partner: Policies | null;
  readonly learners: readonly number[];
  /** The training pool; weights sum to 1. */
  readonly simulators: readonly WeightedSimulator[];
  readonly loadPolicy: PolicyLoader;
  /** `evaluation.seed` of the spec: group g starts alike for every policy, round and run with the same pool. */
  readonly seed: number;
}

/** The seats of one group of the world that one network acts for. */
export interface ActingRows {
  readonly group: number;
  /** Shape [D]. */
  readonly seats: readonly number[];
  readonly inputSize: number;
  readonly actionCount: number;
  readonly actor: Actor;
  readonly observer: DrivenSeats;
}

/**
 * Episodes with sampled actions on the training pool: groups of 8 with the same simulator, draws, start state and chance
 * of the world, which differ in nothing but the actions that were drawn.
 */
export class BehaviourEpisodes implements RunningEpisodes {
  readonly batch: Batch;
  /** Shape [B]. */
  readonly simulators = new Int32Array(EPISODE_COUNT);
  readonly actionKeys: readonly Key[];
  /** Shape [B]: null while the episode goes on. */
  readonly outcomes: (EpisodeOutcome | null)[] = Array.from({ length: EPISODE_COUNT }, () => null);
  /** What the learners' own networks act for. */
  readonly learnerRows: readonly ActingRows[];
  private readonly partnerRows: readonly ActingRows[];
  private readonly partnerPolicies: PartnerPolicies;
  private readonly seatCount: number;
  /** For each simulator, the learners that are present, and the seats that the trained partner holds. */
  private readonly present: readonly (readonly number[])[];
  private readonly trained: readonly (readonly number[])[];
  private readonly actions: Int32Array;
  private readonly returns: EpisodeReturns;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(
    options: BehaviourEpisodesOptions,
    players: Readonly<Record<'learnerRows' | 'partnerRows', readonly ActingRows[]>> & {
      readonly partnerPolicies: PartnerPolicies;
    },
  ) {
    const { world, simulators, learners, seed } = options;
    this.seatCount = world.seatCount;
    this.present = simulators.map(({ simulator }) => presentLearners(learners, simulator));
    this.trained = simulators.map(({ simulator }) => trainedSeats(simulator));
    this.learnerRows = players.learnerRows;
    this.partnerRows = players.partnerRows;
    this.partnerPolicies = players.partnerPolicies;
    this.batch = world.createBatch(EPISODE_COUNT);
    this.actions = new Int32Array(EPISODE_COUNT * world.seatCount);
    this.returns = new EpisodeReturns(world, EPISODE_COUNT);
    const source = new EpisodeSource(world, simulators);
    this.actionKeys = this.outcomes.map((_, environment) => {
      const start = keyFrom(seed, PURPOSE.behaviour, Math.floor(environment / GROUP_SIZE));
      const simulator = source.choose(start);
      this.simulators[environment] = simulator;
      source.start(this.batch, environment, simulator, start);
      this.returns.start(environment, this.learnersOf(environment));
      return foldIn(foldIn(start, PURPOSE.actionSampling), environment % GROUP_SIZE);
    });
  }

  static async create(options: BehaviourEpisodesOptions): Promise<BehaviourEpisodes> {
    const { world, learner, partner, loadPolicy } = options;
    const data = options.simulators.map(({ simulator }) => simulator);
    const trained = trainedSeatsOf(world, data);
    if (partner === null && trained.flat().length > 0) {
      throw new ThawError('DEFECT_INVARIANT', 'a simulator of the pool has a trained partner, and none was given');
    }
    return new BehaviourEpisodes(options, {
      learnerRows: await actingRows(world, learner, drivenSeatsOf(world, data)),
      partnerRows: partner === null ? [] : await actingRows(world, partner, trained),
      partnerPolicies: await PartnerPolicies.create(world, data, {
        environmentCount: EPISODE_COUNT,
        load: loadPolicy,
      }),
    });
  }

  /** Shape [B]: steps of the episodes so far. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  isRunning(environment: number): boolean {
    return this.outcomes[environment] === null;
  }

  /** The learners that are present in the simulator of an episode. */
  learnersOf(environment: number): readonly number[] {
    return this.present[this.simulators[environment]!]!;
  }

  /** One forward pass of a network; the actions drawn from it stand until `step`. */
  async act(rows: ActingRows): Promise<void> {
    await this.choose(rows, () => true);
  }

  /** Lets everybody else act, and advances every episode by a step. */
  async step(): Promise<void> {
    for (const rows of this.partnerRows) {
      await this.choose(rows, (environment, seat) => this.trained[this.simulators[environment]!]!.includes(seat));
    }
    await this.partnerPolicies.act(this.batch, this, this.actions);
    const stepping = this.batch.step(this.actions);
    if (stepping !== undefined) await stepping;
    this.returns.add(this.batch);
    this.finishEpisodes();
  }

  release(): Promise<void> {
    return this.partnerPolicies.release();
  }

  private async choose(
    { observer, actor, seats, actionCount }: ActingRows,
    holds: (environment: number, seat: number) => boolean,
  ): Promise<void> {
    observer.observe(this.batch, actor.inputs);
    await actor.forward();
    let row = 0;
    for (const [environment, { high, low }] of this.actionKeys.entries()) {
      this.random.rekey(high, low);
      for (const seat of seats) {
        this.random.seek(this.lengths[environment]! * this.seatCount + seat);
        if (holds(environment, seat)) {
          const uniform = this.random.nextUniform();
          this.actions[environment * this.seatCount + seat] = sampleAction(actor.logits, row, actionCount, uniform);
        }
        row += 1;
      }
    }
  }

  private finishEpisodes(): void {
    for (let environment = 0; environment < EPISODE_COUNT; environment += 1) {
      const hasEnded = this.batch.ended[environment] === 1 || this.batch.truncated[environment] === 1;
      if (!hasEnded || !this.isRunning(environment)) continue;
      this.outcomes[environment] = {
        return: this.returns.returns[environment]!,
        length: this.returns.lengths[environment]!,
        success: this.batch.success[environment] === 1,
      };
    }
  }
}

function actingRows(
  world: World,
  learner: Policies,
  driven: readonly (readonly number[])[],
): Promise<readonly ActingRows[]> {
  return Promise.all(
    driven.flatMap((seats, group) => {
      if (seats.length === 0) return [];
      const observer = new DrivenSeats(world, learner.policies[group]!, seats, EPISODE_COUNT);
      const { inputSize, actionCount } = observer;
      return [
        learner
          .createActor(group, EPISODE_COUNT * seats.length, { values: false })
          .then((actor): ActingRows => ({ group, seats, inputSize, actionCount, actor, observer })),
      ];
    }),
  );
}
