import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE } from '../../simulators/random.ts';
import type { Learner } from '../algorithms/contract.ts';
import { presentLearners } from '../rollout/driven-seats.ts';
import { EpisodeReturns } from '../rollout/episode-return.ts';
import { EpisodeSource, type WeightedSimulator } from '../rollout/episode-source.ts';
import type { EpisodeOutcome } from '../rollout/episode-tally.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from '../rollout/partner-policies.ts';
import { type Player, PlayingGroup } from '../rollout/playing-group.ts';

// Letters: B environments, N seats.

/** Groups of episodes that start alike, where a spec says nothing; and episodes of a group. */
const GROUP_COUNT = 32;
export const GROUP_SIZE = 8;

/** B: all are played at once, so that a forward pass has the same shape whatever the pool is. */
export function behaviourEpisodes({
  behaviour_groups: groups = GROUP_COUNT,
}: {
  readonly behaviour_groups?: number;
}): number {
  return groups * GROUP_SIZE;
}

type Policies = Pick<Learner, 'policies' | 'createActor'>;

export interface BehaviourEpisodesOptions {
  readonly world: World;
  readonly learner: Policies;
  /** Holds the seats of partners of the kind `trained`; null when there are none. */
  readonly partner: Policies | null;
  readonly learners: readonly number[];
  /** B, see `behaviourEpisodes`. */
  readonly episodes: number;
  /** The training pool; weights sum to 1. */
  readonly simulators: readonly WeightedSimulator[];
  readonly loadPolicy: PolicyLoader;
  /** `evaluation.seed` of the spec: group g starts alike for every policy, round and run with the same pool. */
  readonly seed: number;
}

/**
 * Episodes with sampled actions on the training pool: groups of 8 with the same simulator, draws, start state and chance
 * of the world, which differ in nothing but the actions that were drawn.
 */
export class BehaviourEpisodes implements RunningEpisodes {
  readonly batch: Batch;
  /** Shape [B]. */
  readonly simulators: Int32Array;
  readonly actionKeys: readonly Key[];
  /** Shape [B]: null while the episode goes on. */
  readonly outcomes: (EpisodeOutcome | null)[];
  /** In the order in which they must act. */
  readonly groups: readonly PlayingGroup[];
  private readonly partnerPolicies: PartnerPolicies;
  /** For each simulator, the learners that are present. */
  private readonly present: readonly (readonly number[])[];
  private readonly actions: ActionArray;
  private readonly returns: EpisodeReturns;

  private constructor(
    { world, simulators, learners, seed, episodes }: BehaviourEpisodesOptions,
    groups: readonly PlayingGroup[],
    partnerPolicies: PartnerPolicies,
  ) {
    this.groups = groups;
    this.partnerPolicies = partnerPolicies;
    this.present = simulators.map(({ simulator }) => presentLearners(learners, simulator));
    this.simulators = new Int32Array(episodes);
    this.outcomes = Array.from({ length: episodes }, () => null);
    this.batch = world.createBatch(episodes);
    this.actions = createActions(world, episodes);
    this.returns = new EpisodeReturns(world, episodes);
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
    const { world, learner, partner, loadPolicy, episodes: environmentCount } = options;
    const simulators = options.simulators.map(({ simulator }) => simulator);
    const player: Player = { kind: 'policy', learner, partner: partner ?? undefined, mode: 'sampled' };
    const groups = await PlayingGroup.createAll(player, { world, simulators, environmentCount });
    const partnerPolicies = await PartnerPolicies.create(world, simulators, { environmentCount, load: loadPolicy });
    return new BehaviourEpisodes(options, groups, partnerPolicies);
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

  /** Lets a group of seats act; its actions stand until the step. */
  act(group: PlayingGroup): Promise<void> {
    return group.act(this.batch, this, this.actions);
  }

  /** Lets the policies of the simulators act, and advances every episode by a step. */
  async step(): Promise<void> {
    await this.partnerPolicies.act(this.batch, this, this.actions);
    const stepping = this.batch.step(this.actions);
    if (stepping !== undefined) await stepping;
    this.returns.add(this.batch);
    this.finishEpisodes();
  }

  release(): Promise<void> {
    this.batch.close?.();
    return this.partnerPolicies.release();
  }

  private finishEpisodes(): void {
    for (let environment = 0; environment < this.outcomes.length; environment += 1) {
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
