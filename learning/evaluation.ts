import { ThawError } from '../schemas/errors.ts';
import { createActions } from '../simulators/actions.ts';
import type { ActionArray, Batch, SimulatorData, World } from '../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE } from '../simulators/random.ts';
import { presentLearners } from './rollout/driven-seats.ts';
import { EpisodeReturns } from './rollout/episode-return.ts';
import { EpisodeSource } from './rollout/episode-source.ts';
import type { EpisodeOutcome } from './rollout/episode-tally.ts';
import { FeatureHistograms, NOT_COUNTED } from './rollout/feature-histograms.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from './rollout/partner-policies.ts';
import { type Player, PlayingGroup } from './rollout/playing-group.ts';
import type { RandomizationRanges } from './strategies/contract.ts';
import type { Visitation } from './measures/visitation.ts';

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
  /** What names the episodes instead, where they must not be those of an evaluation. */
  readonly key?: Key | undefined;
  readonly onProgress: (episodesDone: number) => void | Promise<void>;
}

export type { Player };

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

/** Plays episodes block by block on one set of arrays. */
class EvaluationBlock implements RunningEpisodes {
  private readonly options: EvaluationOptions;
  private readonly groups: readonly PlayingGroup[];
  private readonly sources: readonly EpisodeSource[];
  private readonly batch: Batch;
  private readonly actions: ActionArray;
  private readonly returns: EpisodeReturns;
  private readonly histograms: FeatureHistograms;
  /** Shape [B]: which simulator the states of an environment are counted for. */
  private readonly countedFor = new Int32Array(EVALUATION_BLOCK);
  /** For each simulator, the learners that are present in it. */
  private readonly learners: readonly (readonly number[])[];
  readonly actionKeys: Key[];
  readonly simulators = new Int32Array(EVALUATION_BLOCK);
  private readonly partnerPolicies: PartnerPolicies;

  private constructor(options: EvaluationOptions, groups: readonly PlayingGroup[], partnerPolicies: PartnerPolicies) {
    const { world, simulators, learners } = options;
    this.learners = simulators.map(({ simulator }) => presentLearners(learners, simulator));
    this.options = options;
    this.groups = groups;
    this.partnerPolicies = partnerPolicies;
    this.sources = simulators.map(
      ({ simulator, randomization }) => new EpisodeSource(world, [{ simulator, weight: 1, randomization }]),
    );
    this.batch = world.createBatch(EVALUATION_BLOCK);
    this.actions = createActions(world, EVALUATION_BLOCK);
    this.returns = new EpisodeReturns(world, EVALUATION_BLOCK);
    this.histograms = new FeatureHistograms(world, simulators.length, EVALUATION_BLOCK);
    this.actionKeys = Array.from({ length: EVALUATION_BLOCK }, () => ({ high: 0, low: 0 }));
  }

  static async create(player: Player, options: EvaluationOptions): Promise<EvaluationBlock> {
    const { world, simulators } = options;
    const data = simulators.map(({ simulator }) => simulator);
    const groups = await PlayingGroup.createAll(player, {
      world,
      simulators: data,
      environmentCount: EVALUATION_BLOCK,
    });
    const partnerPolicies = await PartnerPolicies.create(world, data, {
      environmentCount: EVALUATION_BLOCK,
      load: options.loadPolicy,
    });
    return new EvaluationBlock(options, groups, partnerPolicies);
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
    this.batch.close?.();
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
    for (let padded = outcomes.length; padded < EVALUATION_BLOCK; padded += 1) this.batch.rest?.(padded);
    this.countedFor.set(this.simulators);
    this.countedFor.fill(NOT_COUNTED, outcomes.length);
    for (let step = 0; step < world.episodeStepsMax && outcomes.includes(null); step += 1) {
      this.histograms.add(this.batch, this.countedFor);
      for (const group of this.groups) await group.act(this.batch, this, this.actions);
      await this.partnerPolicies.act(this.batch, this, this.actions);
      const stepping = this.batch.step(this.actions);
      if (stepping !== undefined) await stepping;
      this.returns.add(this.batch);
      this.finishEpisodes(outcomes);
    }
    return outcomes.filter((outcome) => outcome !== null);
  }

  private startEpisode(environment: number, slot: number): void {
    const { seed, episodes, key: named = keyFrom(seed, PURPOSE.evaluation) } = this.options;
    const key = foldIn(named, slot % episodes);
    this.actionKeys[environment] = foldIn(key, PURPOSE.actionSampling);
    const simulator = Math.floor(slot / episodes);
    this.simulators[environment] = simulator;
    this.returns.start(environment, this.learners[simulator]!);
    this.sources[simulator]!.start(this.batch, environment, 0, key);
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
