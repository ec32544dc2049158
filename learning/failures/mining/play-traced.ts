import { ThawError } from '../../../schemas/errors.ts';
import { createActions } from '../../../simulators/actions.ts';
import type { ActionArray, Batch, SimulatorData, World } from '../../../simulators/contract.ts';
import { foldIn, type Key, PURPOSE } from '../../../simulators/random.ts';
import { EpisodeReturns } from '../../rollout/episode-return.ts';
import type { EpisodeOutcome } from '../../rollout/episode-tally.ts';
import { PartnerPolicies, type PolicyLoader, type RunningEpisodes } from '../../rollout/partner-policies.ts';
import { type LearnerRows, type Player, PlayingGroup } from '../../rollout/playing-group.ts';
import { EpisodeRecorder, type TracedEpisode } from './traced-episode.ts';

// Letters: B environments, N seats, F state features.

/** B: fixed, and padded where fewer episodes are left, so that a forward pass has the same shape whatever is mined. */
const BLOCK = 64;

export interface TracedPlay {
  readonly world: World;
  readonly simulators: readonly SimulatorData[];
  /** For each simulator, the seats whose rewards and values count. */
  readonly learners: readonly (readonly number[])[];
  /** Of the episodes of each simulator, the same for all. */
  readonly keys: readonly Key[];
  /** Fetches policies that hold seats of the simulators. */
  readonly loadPolicy: PolicyLoader;
  /** Told how many episodes are played after each block of them. */
  readonly onProgress: (episodesDone: number) => void | Promise<void>;
}

/** Plays every episode in every simulator. @returns by simulator, in the order of the keys */
export async function playTraced(player: Player, play: TracedPlay): Promise<TracedEpisode[][]> {
  const { world, simulators, keys } = play;
  const episodes: TracedEpisode[] = [];
  const block = await TracedBlock.create(player, play);
  const slotCount = simulators.length * keys.length;
  for (let first = 0; first < slotCount; first += BLOCK) {
    episodes.push(...(await block.play(first, slotCount)));
    await play.onProgress(episodes.length);
  }
  await block.release();
  if (episodes.length !== slotCount) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `an episode of ${world.family} outlasted its ${world.episodeStepsMax} steps`,
    );
  }
  return simulators.map((_, simulator) => episodes.slice(simulator * keys.length, (simulator + 1) * keys.length));
}

/** Plays episodes block by block on one set of arrays. */
class TracedBlock implements RunningEpisodes {
  readonly simulators = new Int32Array(BLOCK);
  readonly actionKeys: Key[] = Array.from({ length: BLOCK }, () => ({ high: 0, low: 0 }));
  private readonly options: TracedPlay;
  private readonly groups: readonly PlayingGroup[];
  /** Those of the groups that are the learners'. */
  private readonly critics: readonly LearnerRows[];
  private readonly partnerPolicies: PartnerPolicies;
  private readonly batch: Batch;
  /** For each simulator, shape [P]. */
  private readonly compiled: readonly Float64Array[];
  private readonly actions: ActionArray;
  /** Shape [B N F]. */
  private readonly features: Float64Array;
  private readonly returns: EpisodeReturns;
  private readonly recorders: readonly EpisodeRecorder[];

  private constructor(options: TracedPlay, groups: readonly PlayingGroup[], partnerPolicies: PartnerPolicies) {
    const { world, simulators } = options;
    const batch = world.createBatch(BLOCK);
    this.options = options;
    this.groups = groups;
    this.critics = groups.map(({ learnerRows }) => learnerRows).filter((rows) => rows !== null);
    this.partnerPolicies = partnerPolicies;
    this.batch = batch;
    this.compiled = simulators.map((simulator) => world.compile(simulator));
    this.actions = createActions(world, BLOCK);
    this.features = new Float64Array(BLOCK * world.seatCount * world.features.length);
    this.returns = new EpisodeReturns(world, BLOCK);
    this.recorders = Array.from({ length: BLOCK }, (_, index) => new EpisodeRecorder(world, batch, index));
  }

  static async create(player: Player, options: TracedPlay): Promise<TracedBlock> {
    const { world, simulators, loadPolicy } = options;
    const playing = { world, simulators, environmentCount: BLOCK };
    const groups = await PlayingGroup.createAll(player, { ...playing, values: true });
    const partners = await PartnerPolicies.create(world, simulators, { environmentCount: BLOCK, load: loadPolicy });
    return new TracedBlock(options, groups, partners);
  }

  /** Shape [B]: steps of the running episodes. */
  get lengths(): Int32Array {
    return this.returns.lengths;
  }

  release(): Promise<void> {
    this.batch.close?.();
    return this.partnerPolicies.release();
  }

  /** Plays the episodes `first` … of the list simulator-major, episode-minor; as many as a block holds and are left. */
  async play(first: number, slotCount: number): Promise<TracedEpisode[]> {
    for (let index = 0; index < BLOCK; index += 1) this.start(index, Math.min(first + index, slotCount - 1));
    const count = Math.min(BLOCK, slotCount - first);
    for (let padded = count; padded < BLOCK; padded += 1) this.batch.rest?.(padded);
    const running = new Set(this.recorders.slice(0, count).keys());
    const episodes: (TracedEpisode | null)[] = Array.from({ length: count }, () => null);
    while (running.size > 0 && Math.max(...this.lengths) <= this.options.world.episodeStepsMax) {
      // An episode that has ended is looked at once more: the critic has a say about the state that it ended in.
      await this.look(running);
      for (const index of running) {
        const outcome = this.outcomeOf(index);
        if (outcome === null) continue;
        episodes[index] = this.recorders[index]!.finished(outcome, this.batch.ended[index] === 1);
        running.delete(index);
      }
      if (running.size > 0) await this.step(running);
    }
    return episodes.filter((episode) => episode !== null);
  }

  private start(index: number, slot: number): void {
    const { keys, learners } = this.options;
    const simulator = Math.floor(slot / keys.length);
    const key = keys[slot % keys.length]!;
    this.simulators[index] = simulator;
    this.actionKeys[index] = foldIn(key, PURPOSE.actionSampling);
    this.batch.reset(index, this.compiled[simulator]!, key);
    this.returns.start(index, learners[simulator]!);
    this.recorders[index]!.start(learners[simulator]!);
  }

  /** Takes down the states, and has everybody choose what to do in them. */
  private async look(running: ReadonlySet<number>): Promise<void> {
    this.batch.observeFeatures(this.features);
    for (const index of running) this.recorders[index]!.addState(this.features);
    for (const group of this.groups) await group.act(this.batch, this, this.actions);
    await this.partnerPolicies.act(this.batch, this, this.actions);
    if (this.critics.length === 0) return;
    for (const index of running) this.recorders[index]!.addValue(this.valueIn(index));
  }

  private async step(running: ReadonlySet<number>): Promise<void> {
    const stepping = this.batch.step(this.actions);
    if (stepping !== undefined) await stepping;
    this.returns.add(this.batch);
    for (const index of running) this.recorders[index]!.addStep(this.actions);
  }

  /** The critic's value in an environment, mean over the learners present. */
  private valueIn(index: number): number {
    const { learners } = this.recorders[index]!;
    let sum = 0;
    for (const { seats, actor } of this.critics) {
      for (const [column, seat] of seats.entries()) {
        if (learners.includes(seat)) sum += actor.values![index * seats.length + column]!;
      }
    }
    return sum / learners.length;
  }

  /** Null while the episode goes on. */
  private outcomeOf(index: number): EpisodeOutcome | null {
    const { batch, returns } = this;
    if (batch.ended[index] === 0 && batch.truncated[index] === 0) return null;
    return {
      return: returns.returns[index]!,
      length: returns.lengths[index]!,
      success: batch.success[index] === 1,
    };
  }
}
