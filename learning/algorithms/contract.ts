import type { z } from 'zod';
import type { World } from '../../simulators/contract.ts';
import type { AdvantageOptions } from '../advantages.ts';
import type { Executor } from '../executor.ts';
import type { Graph } from '../graph/expression.ts';
import type { Rollout } from '../rollout/rollout-buffer.ts';

// Letters: R rows of one forward pass, I input features of a policy (observation and identity), A actions.

/** Output of an algorithm's parameter schema; these keys every algorithm has. */
export interface AlgorithmParameters {
  readonly name: string;
  readonly parallel_environments: number;
  /** Null stands for the family's episode length and is written out when the spec is resolved. */
  readonly rollout_steps: number;
}

export interface Algorithm {
  readonly name: string;
  /** Other names in use for the same algorithm; resolving a spec replaces them by `name`. */
  readonly aliases: readonly string[];
  readonly summary: string;
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
}

/** One forward pass of fixed size. The arrays belong to the actor and are reused by every `forward`. */
export interface Actor {
  readonly rowCount: number;
  /** Shape [R I]: filled by the caller. */
  readonly inputs: Float32Array;
  /** Shape [R A]: unnormalised log probabilities. */
  readonly logits: Float32Array;
  /** Shape [R]: value of each row in units of return; null when the actor was made without values. */
  readonly values: Float32Array | null;
  forward(): Promise<void>;
  release(): Promise<void>;
}

/** What one update reports: name → value, averaged over its minibatches; NaN and ±Infinity are legal. */
export type UpdateMetrics = Readonly<Record<string, number>>;

/** The networks of a run, one for every group of seats, with everything that training changes in them. */
export interface Learner {
  readonly policies: readonly PolicyDescription[];
  /** Update blocks done so far. */
  readonly updateIndex: number;
  /** How its values add up rewards, so that others can tell how an episode went against what it expected. */
  readonly returns: AdvantageOptions;
  /** Makes a forward pass for one group; it always uses the newest weights. */
  createActor(group: number, rowCount: number, options: { values: boolean }): Promise<Actor>;
  /** Improves the networks with one block of experience; counts as one update block. */
  update(rollouts: readonly Rollout[]): Promise<UpdateMetrics>;
  /** Everything that is needed to go on, as bytes; equal states give equal bytes. */
  save(): Uint8Array;
  /** @throws REQUEST_CONFLICT when the bytes belong to networks of another shape */
  load(bytes: Uint8Array): void;
  /** Whether every weight is a finite number; a learner that diverged has no future. */
  isFinite(): boolean;
  /** One group's policy with its weights inside, for one row: `observations` [1 I] → `logits` [1 A]. */
  policyGraph(group: number): Graph;
  release(): Promise<void>;
}

export interface PolicyDescription {
  readonly group: number;
  /** Features of one row: the observation, then one number per seat of the group when the seats share a network. */
  readonly inputSize: number;
  readonly identitySize: number;
  readonly actionCount: number;
}
