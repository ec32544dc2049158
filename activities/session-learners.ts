import type { ArtifactReference, ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import type { Device } from '../infra/executors.ts';
import { memberUpdates, seatsOfMember, type TrainedMember } from '../learning/rollout/crew.ts';
import type { Executor } from '../learning/executor.ts';
import {
  bytesFromMembers,
  checkpointOf,
  membersFromBytes,
  segmentsFromBytes,
  type StoredSegment,
} from '../learning/member-checkpoint.ts';
import type { Member } from '../learning/strategies/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import type { Registries } from '../specification/registries.ts';
import { initialWeights, type PolicyDependencies } from './session-policies.ts';
import { StoredReplay } from './stored-replay.ts';
import type { SessionState } from './session-messages.ts';

export interface LearnerDependencies extends Pick<PolicyDependencies, 'loadModel'> {
  /** What computes networks on a device. @throws REQUEST_DEVICE_MISSING where that is not installed */
  readonly executorOn: (device: Device) => Promise<Executor>;
  readonly artifacts: ArtifactStore;
  readonly registries: Registries;
}

/** A member with its networks, and with all that these were made of. */
interface MadeMember extends TrainedMember {
  readonly recipe: string;
  readonly replay: StoredReplay;
}

interface LearnersWanted {
  /** Whether each member goes on from the one that it copies, and not from itself. */
  readonly startsMembers: boolean;
  /** Whether they are to learn, for which they need what they have kept of former rounds. */
  readonly learns: boolean;
}

/**
 * The networks of a run's members in the memory of a training process: made when one is missing or differs in more than
 * its weights, loaded when other weights are asked for than those that are here.
 */
export class SessionLearners {
  private readonly dependencies: LearnerDependencies;
  private members: readonly MadeMember[] = [];
  /** Names the weights in memory; empty when they belong to no checkpoint. */
  private weights = '';
  /** Whether what the members keep of former rounds belongs to the weights. */
  private hasReplay = true;

  constructor(dependencies: LearnerDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * The members with the weights of the state's checkpoint.
   * @throws REQUEST_CONFLICT when the checkpoint lacks one of these
   */
  async of(state: SessionState, { startsMembers, learns }: LearnersWanted): Promise<readonly TrainedMember[]> {
    const sources = state.members.map(({ name, copies }) => (startsMembers ? copies : name));
    const recipes = recipesOf(state, this.dependencies.registries);
    const wanted = weightsOf(state.checkpointHash, sources, recipes);
    if (this.weights === wanted && (this.hasReplay || !learns)) return this.members;
    this.weights = '';
    // Only new networks have the initial weights of their seed, and have kept nothing.
    await this.replaceMembers(state, recipes, { keeps: state.checkpointHash !== null });
    if (state.checkpointHash !== null) await this.load(state.checkpointHash, sources, { learns });
    this.hasReplay = learns || state.checkpointHash === null;
    this.weights = wanted;
    return this.members;
  }

  private async load(checkpointHash: string, sources: readonly string[], { learns }: { learns: boolean }) {
    const bytes = await this.dependencies.artifacts.read(checkpointHash);
    const [saved, segments] = [membersFromBytes(bytes), segmentsFromBytes(bytes)];
    for (const [index, { learner, replay }] of this.members.entries()) {
      await learner.load(checkpointOf(saved, sources[index]!));
      if (learns) await replay.restore(segments.get(sources[index]!) ?? []);
    }
  }

  /** From now on the weights in memory belong to no checkpoint, until they are stored. */
  forget(): void {
    this.weights = '';
  }

  /**
   * Stores all members as one checkpoint, and what they have newly kept beside it. From now on the weights in memory are
   * those of the checkpoint.
   */
  async store(): Promise<{ checkpoint: ArtifactReference; segments: readonly ArtifactReference[] }> {
    const segments = new Map<string, readonly StoredSegment[]>();
    for (const { name, learner, replay } of this.members) {
      if (learner.replay !== null) segments.set(name, await replay.store());
    }
    const saved = new Map(this.members.map(({ name, learner }) => [name, learner.save()]));
    const checkpoint = await this.dependencies.artifacts.write(bytesFromMembers(saved, segments));
    await this.keepAs(checkpoint.hash);
    const listed = new Map([...segments.values()].flat().map(({ hash, bytes }) => [hash, { hash, bytes }]));
    return { checkpoint, segments: [...listed.values()] };
  }

  /** A member that diverged has no future in memory: it goes on from what was stored of it. */
  private async keepAs(checkpointHash: string): Promise<void> {
    if (this.members.some(({ learner }) => learner.divergence !== null)) return this.release();
    const names = this.members.map(({ name }) => name);
    const recipes = this.members.map(({ recipe }) => recipe);
    this.weights = weightsOf(checkpointHash, names, recipes);
  }

  private async release(): Promise<void> {
    const { members } = this;
    this.members = [];
    await Promise.all(members.map(({ learner }) => learner.release()));
  }

  private async replaceMembers(
    state: SessionState,
    recipes: readonly string[],
    { keeps }: { keeps: boolean },
  ): Promise<void> {
    const before = this.members;
    this.members = [];
    const kept = recipes.map((recipe) => (keeps ? before.find((member) => member.recipe === recipe) : undefined));
    const obsolete = before.filter((member) => !kept.includes(member));
    await Promise.all(obsolete.map(({ learner }) => learner.release()));
    const members: MadeMember[] = [];
    for (const [index, member] of state.members.entries()) {
      members.push({ ...(kept[index] ?? (await this.makeMember(state, index))), ...member, recipe: recipes[index]! });
    }
    this.members = members;
  }

  private async makeMember({ resolved, seed, members, chunkRows, device = 'cpu' }: SessionState, memberIndex: number) {
    const { registries, executorOn, artifacts, loadModel } = this.dependencies;
    const world = openWorld(resolved, registries);
    const member = members[memberIndex]!;
    const { updatesOfRound } = roundSchedule(resolved, registries);
    const learner = await registries.algorithms[resolved.algorithm.name]!.createLearner({
      world,
      learners: seatsOfMember(member, world, resolved.learners),
      parameters: { ...resolved.algorithm, ...member.hyperparameters },
      executor: await executorOn(device),
      chunkRows,
      updateCount: memberUpdates(members, updatesOfRound)[memberIndex]!,
      seed,
      memberIndex,
      loadModel,
      ...(member.seats === 'learners' && { initial: await initialWeights(resolved.algorithm, world, artifacts) }),
    });
    return { learner, replay: new StoredReplay(learner, artifacts) };
  }
}

/** For each member, everything that its networks depend on but for the weights. */
function recipesOf(state: SessionState, registries: Registries): string[] {
  const { variantHash, resolved, seed, members, chunkRows = null, device = 'cpu' } = state;
  const updates = memberUpdates(members, roundSchedule(resolved, registries).updatesOfRound);
  return members.map(({ name, seats, hyperparameters }: Member, index) =>
    JSON.stringify([
      variantHash,
      seed,
      chunkRows,
      device,
      index,
      name,
      seats,
      updates[index],
      Object.entries(hyperparameters).sort(),
    ]),
  );
}

const weightsOf = (checkpointHash: string | null, sources: readonly string[], recipes: readonly string[]): string =>
  JSON.stringify([checkpointHash, sources, recipes]);
