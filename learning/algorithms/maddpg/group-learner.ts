import type { CompiledGraph, Executor, NamedArrays } from '../../executor.ts';
import type { RandomStream } from '../../../simulators/random.ts';
import { ACTOR_DIAGNOSTICS, actorGraph, type ActorUpdateOptions } from './actor-graph.ts';
import { CRITIC_DIAGNOSTICS, criticGraph } from './critic-graph.ts';
import type { FollowedParameters } from './followed-parameters.ts';
import type { LearningGroup } from './learning-group.ts';

// Letters: M transitions, K learners of a group, A numbers of an action, D diagnostics.

/** What changes of a group that has learners. */
export interface GroupParameters {
  readonly group: LearningGroup;
  readonly actor: FollowedParameters;
  readonly critics: FollowedParameters;
}

/** What both graphs of all groups are given: the minibatch, and the moments of what was observed. */
export interface SharedInputs {
  readonly arrays: NamedArrays;
  readonly learningRate: number;
  readonly criticLearningRate: number;
}

/** What a step measured, by name. */
export type StepReport = Readonly<Record<string, number>>;

/** Runs the optimizer steps of one group: its critics, then its actor against them. */
export class GroupLearner {
  private readonly own: GroupParameters;
  private readonly all: readonly GroupParameters[];
  private readonly graphs: { readonly critic: CompiledGraph; readonly actor: CompiledGraph };
  /** By the names of the graphs' inputs: what actions are drawn by, shapes [M·K A]. */
  private readonly uniforms: Readonly<Record<string, Float32Array>>;
  /** Shape [M]: how far off the critics were, summed over learners. */
  readonly errors: Float32Array;
  private readonly criticDiagnostics = new Float32Array(CRITIC_DIAGNOSTICS.length);
  private readonly actorDiagnostics = new Float32Array(ACTOR_DIAGNOSTICS.length);

  private constructor(
    own: GroupParameters,
    all: readonly GroupParameters[],
    graphs: { readonly critic: CompiledGraph; readonly actor: CompiledGraph },
    rowCount: number,
  ) {
    this.own = own;
    this.all = all;
    this.graphs = graphs;
    this.errors = new Float32Array(rowCount);
    const uniformsOf = ({ places, actor }: LearningGroup): Float32Array =>
      new Float32Array(rowCount * places.length * actor.actionSize);
    const isDrawn = ({ group }: GroupParameters): boolean => group.policy.actions.kind === 'discrete';
    this.uniforms = Object.fromEntries([
      ...all.filter(isDrawn).map(({ group }) => [`uniforms.${group.policy.group}`, uniformsOf(group)] as const),
      ...(isDrawn(own) ? [['uniforms', uniformsOf(own.group)] as const] : []),
    ]);
  }

  static async create(
    own: GroupParameters,
    all: readonly GroupParameters[],
    executor: Executor,
    options: ActorUpdateOptions,
  ): Promise<GroupLearner> {
    const critic = await executor.compile(criticGraph(own.group, options));
    const actor = await executor.compile(actorGraph(own.group, options));
    return new GroupLearner(own, all, { critic, actor }, options.rowCount);
  }

  /**
   * One optimizer step of the critics and one of the actor.
   * @param random of the step: what actions are drawn by
   * @param accept told of what was measured before it takes effect; nothing takes effect any more once it says no
   */
  async step(
    { arrays, learningRate, criticLearningRate }: SharedInputs,
    random: RandomStream,
    accept: (report: StepReport) => boolean,
  ): Promise<void> {
    const { actor, critics } = this.own;
    for (const uniforms of Object.values(this.uniforms)) fillUniforms(uniforms, random);
    const given = { ...arrays, ...this.uniforms, ...this.targetActors() };
    await this.graphs.critic.run(
      { ...given, ...critics.inputs(criticLearningRate) },
      { ...critics.outputs(), errors: this.errors, diagnostics: this.criticDiagnostics },
    );
    if (!accept(criticReport(this.criticDiagnostics))) return;
    critics.advance();
    await this.graphs.actor.run(
      { ...given, ...actor.inputs(learningRate), critics: critics.newest },
      { ...actor.outputs(), diagnostics: this.actorDiagnostics },
    );
    if (!accept(actorReport(this.actorDiagnostics))) return;
    actor.advance();
  }

  async release(): Promise<void> {
    await Promise.all([this.graphs.critic.release(), this.graphs.actor.release()]);
  }

  private targetActors(): NamedArrays {
    return Object.fromEntries(this.all.map(({ group, actor }) => [`target_actor.${group.policy.group}`, actor.target]));
  }
}

const UNIFORM_BITS = 23;

/** Inside of (0, 1) and exact as float32, so that no logarithm of one is infinite. */
function fillUniforms(uniforms: Float32Array, random: RandomStream): void {
  for (let index = 0; index < uniforms.length; index += 1) {
    uniforms[index] = ((random.nextUint32() >>> (32 - UNIFORM_BITS)) + 0.5) / 2 ** UNIFORM_BITS;
  }
}

function criticReport(diagnostics: Float32Array): StepReport {
  const [loss, values, targets, squaredTargets, errors, squaredErrors, norm] = diagnostics as unknown as number[];
  return {
    value_loss: loss!,
    value_mean: values!,
    explained_variance: 1 - (squaredErrors! - errors! ** 2) / (squaredTargets! - targets! ** 2),
    critic_gradient_norm: norm!,
  };
}

function actorReport(diagnostics: Float32Array): StepReport {
  const [loss, entropy, norm] = diagnostics as unknown as number[];
  return { policy_loss: loss!, entropy: entropy!, gradient_norm: norm! };
}
