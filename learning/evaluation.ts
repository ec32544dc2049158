import { ThawError } from '../schemas/errors.ts';
import type { Batch, SimulatorData, World } from '../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE, RandomStream } from '../simulators/random.ts';
import { chooseAction, type PolicyMode } from './action-choice.ts';
import type { Actor, Learner } from './algorithms/contract.ts';
import { discreteActionCount, DrivenSeats, drivenSeatsOf, presentLearners } from './driven-seats.ts';
import { EpisodeReturns } from './episode-return.ts';
import { EpisodeSource } from './episode-source.ts';
import type { EpisodeOutcome } from './episode-tally.ts';
import { FeatureHistograms, NOT_COUNTED } from './feature-histograms.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from './partner-policies.ts';
import type { RandomizationRanges } from './strategies/contract.ts';
import type { Visitation } from './visitation.ts';

/**
 * Environments of one forward pass. Fixed, and padded where fewer are left, so that a forward pass has the same shape
 * however many simulators and episodes are evaluated.
 */
const EVALUATION_BLOCK = 128;

/** One simulator to evaluate on; `randomization` is drawn anew for every episode, as it was in training. */
export interface EvaluationSimulator {
  readonly simulator: SimulatorData;
  readonly randomization: RandomizationRanges;
}

export interface EvaluationOptions {
  readonly world: World;
  readonly learners: readonly number[];
  readonly simulators: readonly EvaluationSimulator[];
  /** Episodes of each simulator. */
  readonly episodes: number;
  /** Fetches policies that hold seats of the simulators. */
  readonly loadPolicy: PolicyLoader;
  /** `evaluation.seed` of the spec: episode e is the same for every policy, simulator, round and run. */
  readonly seed: number;
  readonly onProgress: (episodesDone: number) => void | Promise<void>;
}

/** Who acts in the driven seats: a learner's current policy, or chance. */
export type Player =
  { readonly kind: 'policy'; readonly learner: Learner; readonly mode: PolicyMode } | { readonly kind: 'random' };

/** What a player met in one simulator. */
export interface SimulatorEvaluation {
  /** In order. */
  readonly episodes: readonly EpisodeOutcome[];
  /** Of the states in which the learners that are present acted. */
  readonly visitation: Visitation;
}

/** @returns for each simulator what was met in it */
export async function evaluate(player: Player, options: EvaluationOptions): Promise<SimulatorEvaluation[]> {
  const { world, simulators, episodes } = options;
  const outcomes = simulators.map((): EpisodeOutcome[] => []);
  const runner = await EvaluationBlock.create(player, options);
  const slotCount = simulators.length * episodes;
  for (let first = 0; first < slotCount; first += EVALUATION_BLOCK) {
    const block = await runner.play(first, slotCount);
    block.forEach((outcome, offset) => outcomes[Math.floor((first + offset) / episodes)]!.push(outcome));
    await options.onProgress(Math.min(first + EVALUATION_BLOCK, slotCount));
  }
  await runner.release();
  if (outcomes.some((list) => list.length !== episodes)) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `an episode of ${world.family} outlasted its ${world.episodeStepsMax} steps`,
    );
  }
  return outcomes.map((list, simulator) => ({ episodes: list, visitation: runner.visitation(simulator) }));
}

interface DrivenGroup {
  readonly seats: readonly number[];
  readonly actionCount: number;
  readonly policy: { readonly observer: DrivenSeats; readonly actor: Actor } | null;
}

/** Plays episodes block by block on one set of arrays. */
class EvaluationBlock implements RunningEpisodes {
  private readonly options: EvaluationOptions;
  private readonly mode: PolicyMode;
  private readonly groups: readonly DrivenGroup[];
  private readonly sources: readonly EpisodeSource[];
  private readonly batch: Batch;
  private readonly actions: Int32Array;
  private readonly returns: EpisodeReturns;
  private readonly histograms: FeatureHistograms;
  /** Shape [B]: which simulator the states of an environment are counted for. */
  private readonly countedFor = new Int32Array(EVALUATION_BLOCK);
  /** For each simulator, the learners that are present in it. */
  private readonly learners: readonly (readonly number[])[];
  readonly actionKeys: Key[];
  readonly simulators = new Int32Array(EVALUATION_BLOCK);
  private readonly partnerPolicies: PartnerPolicies;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(
    player: Player,
    options: EvaluationOptions,
    groups: readonly DrivenGroup[],
    partnerPolicies: PartnerPolicies,
  ) {
    const { world, simulators, learners } = options;
    this.learners = simulators.map(({ simulator }) => presentLearners(learners, simulator));
    this.options = options;
    this.mode = player.kind === 'policy' ? player.mode : 'sampled';
    this.groups = groups;
    this.partnerPolicies = partnerPolicies;
    this.sources = simulators.map(
      ({ simulator, randomization }) => new EpisodeSource(world, [{ simulator, weight: 1, randomization }]),
    );
    this.batch = world.createBatch(EVALUATION_BLOCK);
    this.actions = new Int32Array(EVALUATION_BLOCK * world.seatCount);
    this.returns = new EpisodeReturns(world, EVALUATION_BLOCK);
    this.histograms = new FeatureHistograms(world, simulators.length, EVALUATION_BLOCK);
    this.actionKeys = Array.from({ length: EVALUATION_BLOCK }, () => ({ high: 0, low: 0 }));
  }

  static async create(player: Player, options: EvaluationOptions): Promise<EvaluationBlock> {
    const { world, simulators } = options;
    const data = simulators.map(({ simulator }) => simulator);
    const driven = drivenSeatsOf(world, data);
    const groups = await Promise.all(
      world.groups.map(async (group, index): Promise<DrivenGroup> => {
        const seats = driven[index]!;
        const actionCount = discreteActionCount(group.actions);
        if (player.kind === 'random' || seats.length === 0) return { seats, actionCount, policy: null };
        const observer = new DrivenSeats(world, player.learner.policies[index]!, seats, EVALUATION_BLOCK);
        const actor = await player.learner.createActor(index, EVALUATION_BLOCK * seats.length, { values: false });
        return { seats, actionCount, policy: { observer, actor } };
      }),
    );
    const partnerPolicies = await PartnerPolicies.create(world, data, {
      environmentCount: EVALUATION_BLOCK,
      load: options.loadPolicy,
    });
    return new EvaluationBlock(player, options, groups, partnerPolicies);
  }

  /** Shape [B]: steps of the running episodes. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  /** Visits of the learners that are present in a simulator. */
  visitation(simulator: number): Visitation {
    return this.histograms.ofSeats(simulator, this.learners[simulator]!);
  }

  release(): Promise<void> {
    return this.partnerPolicies.release();
  }

  /** Plays the episodes `first` … of the list simulator-major, episode-minor; as many as a block holds and are left. */
  async play(first: number, slotCount: number): Promise<EpisodeOutcome[]> {
    const { world } = this.options;
    for (let environment = 0; environment < EVALUATION_BLOCK; environment += 1) {
      this.startEpisode(environment, Math.min(first + environment, slotCount - 1));
    }
    const outcomes: (EpisodeOutcome | null)[] = Array.from(
      { length: Math.min(EVALUATION_BLOCK, slotCount - first) },
      () => null,
    );
    this.countedFor.set(this.simulators);
    this.countedFor.fill(NOT_COUNTED, outcomes.length);
    for (let step = 0; step < world.episodeStepsMax && outcomes.includes(null); step += 1) {
      this.histograms.add(this.batch, this.countedFor);
      for (const group of this.groups) await this.act(group, step);
      await this.partnerPolicies.act(this.batch, this, this.actions);
      const stepping = this.batch.step(this.actions);
      if (stepping !== undefined) await stepping;
      this.returns.add(this.batch);
      this.finishEpisodes(outcomes);
    }
    return outcomes.filter((outcome) => outcome !== null);
  }

  private startEpisode(environment: number, slot: number): void {
    const { seed, episodes } = this.options;
    const key = keyFrom(seed, PURPOSE.evaluation, slot % episodes);
    this.actionKeys[environment] = foldIn(key, PURPOSE.actionSampling);
    const simulator = Math.floor(slot / episodes);
    this.simulators[environment] = simulator;
    this.returns.start(environment, this.learners[simulator]!);
    this.sources[simulator]!.start(this.batch, environment, 0, key);
  }

  private async act({ seats, actionCount, policy }: DrivenGroup, step: number): Promise<void> {
    const { seatCount } = this.options.world;
    if (policy !== null) {
      policy.observer.observe(this.batch, policy.actor.inputs);
      await policy.actor.forward();
    }
    let row = 0;
    for (let environment = 0; environment < EVALUATION_BLOCK; environment += 1) {
      const key = this.actionKeys[environment]!;
      this.random.rekey(key.high, key.low);
      for (const seat of seats) {
        this.random.seek(step * seatCount + seat);
        this.actions[environment * seatCount + seat] =
          policy === null
            ? this.random.nextInteger(actionCount)
            : chooseAction(this.mode, policy.actor.logits, row, actionCount, this.random);
        row += 1;
      }
    }
  }

  private finishEpisodes(outcomes: (EpisodeOutcome | null)[]): void {
    for (let environment = 0; environment < outcomes.length; environment += 1) {
      const ended = this.batch.ended[environment] === 1 || this.batch.truncated[environment] === 1;
      if (!ended || outcomes[environment] !== null) continue;
      this.countedFor[environment] = NOT_COUNTED;
      outcomes[environment] = {
        return: this.returns.returns[environment]!,
        length: this.returns.lengths[environment]!,
        success: this.batch.success[environment] === 1,
      };
    }
  }
}
