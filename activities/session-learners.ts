import type { ArtifactStore } from '../infra/artifacts/artifact-store.ts';
import { memberUpdates, seatsOfMember, type TrainedMember } from '../learning/rollout/crew.ts';
import type { Executor } from '../learning/executor.ts';
import { bytesFromMembers, checkpointOf, membersFromBytes } from '../learning/member-checkpoint.ts';
import type { Member } from '../learning/strategies/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import { roundSchedule } from '../specification/plan.ts';
import type { Registries } from '../specification/registries.ts';
import type { SessionState } from './session-messages.ts';

export interface LearnerDependencies {
  readonly executor: Executor;
  readonly artifacts: ArtifactStore;
  readonly registries: Registries;
}

/** A member with its networks, and with all that these were made of. */
interface MadeMember extends TrainedMember {
  readonly recipe: string;
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

  constructor(dependencies: LearnerDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * The members with the weights of the state's checkpoint.
   * @param options.startsMembers whether each goes on from the member that it copies, and not from itself
   * @throws REQUEST_CONFLICT when the checkpoint lacks one of these
   */
  async of(state: SessionState, { startsMembers }: { startsMembers: boolean }): Promise<readonly TrainedMember[]> {
    const sources = state.members.map(({ name, copies }) => (startsMembers ? copies : name));
    const recipes = recipesOf(state, this.dependencies.registries);
    const wanted = weightsOf(state.checkpointHash, sources, recipes);
    if (this.weights === wanted) return this.members;
    this.weights = '';
    // Only new networks have the initial weights of their seed.
    await this.replaceMembers(state, recipes, { keeps: state.checkpointHash !== null });
    if (state.checkpointHash !== null) {
      const saved = membersFromBytes(await this.dependencies.artifacts.read(state.checkpointHash));
      this.members.forEach(({ learner }, index) => learner.load(checkpointOf(saved, sources[index]!)));
    }
    this.weights = wanted;
    return this.members;
  }

  /** From now on the weights in memory belong to no checkpoint, until they are stored. */
  forget(): void {
    this.weights = '';
  }

  /** All members as one checkpoint. */
  save(): Uint8Array {
    return bytesFromMembers(new Map(this.members.map(({ name, learner }) => [name, learner.save()])));
  }

  /** The weights in memory are those of a checkpoint. */
  keepAs(checkpointHash: string): void {
    const names = this.members.map(({ name }) => name);
    const recipes = this.members.map(({ recipe }) => recipe);
    this.weights = weightsOf(checkpointHash, names, recipes);
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

  private async makeMember({ resolved, seed, members, chunkRows }: SessionState, memberIndex: number) {
    const { registries, executor } = this.dependencies;
    const world = openWorld(resolved, registries);
    const member = members[memberIndex]!;
    const { updatesOfRound } = roundSchedule(resolved, registries);
    const learner = await registries.algorithms[resolved.algorithm.name]!.createLearner({
      world,
      learners: seatsOfMember(member, world, resolved.learners),
      parameters: { ...resolved.algorithm, ...member.hyperparameters },
      executor,
      chunkRows,
      updateCount: memberUpdates(members, updatesOfRound)[memberIndex]!,
      seed,
      memberIndex,
    });
    return { learner };
  }
}

/** For each member, everything that its networks depend on but for the weights. */
function recipesOf(state: SessionState, registries: Registries): string[] {
  const { variantHash, resolved, seed, members, chunkRows = null } = state;
  const updates = memberUpdates(members, roundSchedule(resolved, registries).updatesOfRound);
  return members.map(({ name, seats, hyperparameters }: Member, index) =>
    JSON.stringify([
      variantHash,
      seed,
      chunkRows,
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
