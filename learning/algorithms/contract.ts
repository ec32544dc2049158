import type { z } from 'zod';
import type { ActionSpace, World } from '../../simulators/contract.ts';
import type { AdvantageOptions } from '../advantages.ts';
import type { Executor } from '../executor.ts';
import type { RewardKind } from '../rollout/learned-rewards.ts';
import type { ExperienceNeeds, Rollout, RolloutPolicy } from '../rollout/rollout-buffer.ts';
import type { InitialWeights } from '../transfer/initial-weights.ts';
import type { PolicyGraph } from '../transfer/policy-graph.ts';
import type { TransferSettings } from './settings/transfer-settings.ts';

// Letters: T steps of a block, B environments, R rows of one forward pass, I input features of a policy (observation and
// identity), O outputs of a policy for one row, C numbers that all seats see together, H numbers of a policy's memory.

/** Output of an algorithm's parameter schema; these keys every algorithm has. */
export interface AlgorithmParameters {
  readonly name: string;
  readonly parallel_environments: number;
  /** Null stands for the family's episode length and is written out when the spec is resolved. */
  readonly rollout_steps: number;
  /** Absent in parameters that were resolved before there was such a key, which means the same as `own`. */
  readonly reward?: RewardKind;
  /** Absent in parameters that were resolved before there was such a key, which means the same as null. */
  readonly transfer?: TransferSettings | null;
}

export interface Algorithm {
  readonly name: string;
  /** Other names in use for the same algorithm; resolving a spec replaces them by `name`. */
  readonly aliases: readonly string[];
  readonly summary: string;
  /** Most seats that may learn; all by default. A spec with more is refused. */
  readonly learnersMax?: number;
  /** Kinds of actions that its learners may have; all by default. A world in which they act otherwise is refused. */
  readonly actions?: readonly ActionSpace['kind'][];
  /** Schema of the `algorithm` object of a spec, `name` included. Its output has every default written out. */
  parametersSchema(world: World): z.ZodType<AlgorithmParameters>;
  /** How a minibatch may be divided where memory is short. @param parameters output of `parametersSchema` for the world */
  gradientRows(parameters: AlgorithmParameters, world: World): GradientRows;
  createLearner(setup: LearnerSetup): Promise<Learner>;
}

/** Rows of a minibatch, and of the grains whose gradients are formed as a whole and summed in the order of their index. */
export interface GradientRows {
  readonly minibatchRows: number;
  readonly grainRows: number;
  /** Rows that are computed at once when nothing is said. */
  readonly chunkRows: number;
}

export interface LearnerSetup {
  readonly world: World;
  /** Seats that learn, ascending. */
  readonly learners: readonly number[];
  /** Output of the algorithm's own `parametersSchema`. */
  readonly parameters: AlgorithmParameters;
  readonly executor: Executor;
  /** Most rows of a minibatch that are computed at once, whole grains; the same bytes whatever it is. */
  readonly chunkRows?: number | undefined;
  /** Update blocks it takes part in over the whole run: schedules are functions of (updates done) / (update count). */
  readonly updateCount: number;
  readonly seed: number;
  /** Its place among the policies that are trained in the run; each draws its own weights and sample orders. */
  readonly memberIndex: number;
  /** By group of seats: what its network starts from, see `withInitialWeights`; null or absent: weights that are drawn. */
  readonly initial?: readonly (InitialWeights | null)[] | undefined;
  /** Makes a policy of a file; needed by those alone whose policies are files. Errors call it by the name given. */
  readonly loadModel?: ((bytes: Uint8Array, name: string) => Promise<ReleasableModel>) | undefined;
}

/** A policy that was exported before: rows of I features → O outputs, see `actionHead`. */
export interface PolicyModel {
  readonly inputSize: number;
  /** O; null where it gives the index of an action, and does not say of how many. */
  readonly outputSize: number | null;
  /** Which kind of action space its output is a distribution over. */
  readonly actionKind: ActionSpace['kind'];
  /** Whether it has an input for the legal actions; where they matter and it has none they are masked outside. */
  readonly isMasked: boolean;
  /** H; 0 without a memory. */
  readonly memorySize: number;
  /** Present where it gives what it does alone, and not how probable it is. */
  readonly isCertain?: true;
  /** All that its file takes and gives, for errors. */
  readonly described?: string;
  /** @param actions of the seats that it acts for */
  createActor(rowCount: number, actions: ActionSpace): Promise<Actor>;
}

/** A policy out of a file, with what has to be given back at the end. */
export interface ReleasableModel extends PolicyModel {
  release(): Promise<void>;
}

/**
 * One forward pass of fixed size. The arrays belong to the actor and are reused by every `forward`; the caller fills
 * `inputs`, and `masks`, `joint` and `memory.now` where there are such.
 */
export interface Actor {
  readonly rowCount: number;
  /** Shape [R I]. */
  readonly inputs: Float32Array;
  /** Shape [R O]: 1 where an action is legal, 0 where not; null where every action always is. */
  readonly masks: Uint8Array | null;
  /** Shape [B C]: what all seats see, for a critic that may know it; null where nothing asks for it. */
  readonly joint: Float32Array | null;
  /** Null for a policy that acts on what it sees now alone. */
  readonly memory: ActorMemory | null;
  /**
   * Shape [R O], read as `actionHead` says: for discrete actions unnormalised log probabilities, −∞ where an action is
   * illegal.
   */
  readonly logits: Float32Array;
  /** Shape [R]: value of each row in units of return; null when the actor was made without values. */
  readonly values: Float32Array | null;
  forward(): Promise<void>;
  release(): Promise<void>;
}

/** What a policy carries from step to step. All 0 where an episode starts; the caller moves `next` to `now`. */
export interface ActorMemory {
  /** H */
  readonly size: number;
  /** Shape [R H]: what `forward` reads. */
  readonly now: Float32Array;
  /** Shape [R H]: what the last `forward` made of it. */
  readonly next: Float32Array;
}

export interface ActorOptions {
  /** Whether values are asked for, too. */
  readonly values: boolean;
  /** Whether it acts as in training: an algorithm may try out what it does not hold for best. */
  readonly explores: boolean;
  /** B: environments that the rows belong to, the same number of rows each, in order. */
  readonly environmentCount: number;
}

/** What one update reports: name → value, averaged over its minibatches; NaN and ±Infinity are legal. */
export type UpdateMetrics = Readonly<Record<string, number>>;

/** One block of experience of all environments. */
export interface Experienced {
  /** One for every group of seats that the learner's networks act for somewhere. */
  readonly rollouts: readonly Rollout[];
  /** Shape [T B]: the simulator of each step, by its place in `simulators`. */
  readonly played: Int32Array;
  /** Names of the pool's simulators that mean the same in every round. */
  readonly simulators: readonly string[];
}

/** The first number that was not finite. */
export interface Divergence {
  /** Optimizer steps of the run before it. */
  readonly optimizerStep: number;
  /** What was not finite: a metric's name, or `parameters`. */
  readonly what: string;
  /** Of the last update whose metrics all were. */
  readonly lastFinite: UpdateMetrics;
}

/** The networks of a run, one for every group of seats, with everything that training changes in them. */
export interface Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs: ExperienceNeeds;
  /** Update blocks done so far. */
  readonly updateIndex: number;
  /** How its values add up rewards, so that others can tell how an episode went against what it expected. */
  readonly returns: AdvantageOptions;
  /** Makes a forward pass for one group; it always uses the newest weights. */
  createActor(group: number, rowCount: number, options: ActorOptions): Promise<Actor>;
  /** Improves the networks with one block of experience; counts as one update block. */
  update(block: Experienced): Promise<UpdateMetrics>;
  /** Null while every loss, gradient and weight has been finite; a learner that diverged has no future. */
  readonly divergence: Divergence | null;
  /** Everything that is needed to go on but for `replay`, as bytes; equal states give equal bytes. */
  save(): Uint8Array;
  /** @throws REQUEST_CONFLICT when the bytes belong to networks of another shape */
  load(bytes: Uint8Array): void | Promise<void>;
  /** What it has kept of former blocks; null for an algorithm that learns from the newest alone. */
  readonly replay: ReplayStore | null;
  /** One group's policy with its weights inside, for one row; see `exportedPolicyGraph`. */
  policyGraph(group: number): PolicyGraph;
  /** Present where policies are files already, and no graphs: one group's, null where there is none. */
  policyFile?(group: number): Uint8Array | null;
  release(): Promise<void>;
}

/** Experience that outlasts a block, in segments that are stored one by one: none of them changes once it is sealed. */
export interface ReplayStore {
  /** Closes the segment that is being filled: called at the end of a round, before anything is saved. */
  seal(): void;
  /** The sealed segments that are still drawn from, the oldest first. */
  readonly segments: readonly ReplaySegment[];
  /** Takes up what was stored; what was kept before is forgotten. @throws WORLD_DISK when bytes are no segment */
  restore(segments: readonly ReplaySegment[]): void;
}

export interface ReplaySegment {
  /** Update blocks of the run when it was sealed: names it within a learner. */
  readonly name: string;
  /** Equal contents give equal bytes. */
  bytes(): Uint8Array;
}

/** The policy of one group of seats. */
export interface PolicyDescription extends RolloutPolicy {
  /** Of the features of one row: one number per seat of the group, after the observation, when the seats share a network. */
  readonly identitySize: number;
}
