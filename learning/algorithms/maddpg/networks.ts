import { PURPOSE, RandomStream } from '../../../simulators/random.ts';
import { type CheckpointArray, partOf, prefixed } from '../../checkpoint.ts';
import type { CompiledGraph, Executor, NamedArrays } from '../../executor.ts';
import type { Expression } from '../../graph/expression.ts';
import { constant } from '../../graph/operators.ts';
import { BlockRewards } from '../../normalization/block-rewards.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { transitionLayout, type TransitionLayout } from '../../replay/transition-layout.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import { withInitialWeights } from '../../transfer/initial-weights.ts';
import { OBSERVATION_MEAN, OBSERVATION_SCALE, takeInitialMoments, weightsWithMoments } from '../../transfer/moments.ts';
import { constantsFrom } from '../../transfer/named-weights.ts';
import type { PolicyGraph } from '../../transfer/policy-graph.ts';
import type { Actor, ActorOptions, LearnerSetup, PolicyDescription } from '../contract.ts';
import { describePolicy } from '../describe-policy.ts';
import { exportedPolicyGraph, type PolicyOutputs } from '../exported-policy.ts';
import { memberKey } from '../member-key.ts';
import { settingAt } from '../settings/schedule-settings.ts';
import { type ActorNetwork, createActorNetwork, initialActor } from './actor-network.ts';
import { initialCritics } from './critics.ts';
import { FollowedParameters } from './followed-parameters.ts';
import { actingGraph, GroupActor, headOutputs } from './group-actor.ts';
import type { GroupParameters } from './group-learner.ts';
import { createLearningGroups } from './learning-group.ts';
import { ObservedMoments } from './observed-moments.ts';
import type { MaddpgParameters } from './parameters.ts';

/** Actors of all groups, critics of those that learn, and everything that training changes in them. */
export class MaddpgNetworks {
  readonly policies: readonly PolicyDescription[];
  readonly layout: TransitionLayout;
  /** Of the groups that have learners. */
  readonly learning: readonly GroupParameters[];
  /** Null where observations are taken as they are. */
  readonly moments: ObservedMoments | null;
  /** Null where rewards are kept as they are. */
  readonly rewards: BlockRewards | null;
  private readonly networks: readonly ActorNetwork[];
  private readonly actors: readonly FollowedParameters[];
  private readonly passes = new Map<string, Promise<CompiledGraph>>();
  private readonly parameters: MaddpgParameters;
  private readonly executor: Executor;
  private readonly jointSize: number;
  private readonly updateCount: number;

  constructor(setup: LearnerSetup) {
    const { world, learners, executor, updateCount } = setup;
    const parameters = setup.parameters as MaddpgParameters;
    this.parameters = parameters;
    this.executor = executor;
    this.updateCount = updateCount;
    const optimizer = { kind: parameters.optimizer, adamEpsilon: parameters.adam_epsilon };
    this.jointSize = jointSizeOf(world);
    this.policies = world.groups.map((_, group) => describePolicy(world, group, learners, parameters));
    this.layout = transitionLayout(world, this.policies, { learners, joint: true });
    this.moments = parameters.observation_normalization ? new ObservedMoments(this.policies, this.jointSize) : null;
    const groups = this.policies.map(({ group }) => group);
    this.rewards = parameters.reward_normalization ? new BlockRewards(groups, parameters.gamma) : null;
    this.networks = this.policies.map((policy) => createActorNetwork(policy, parameters));
    this.actors = this.networks.map((network, group) => {
      const flat = withInitialWeights(initialActor(network, group, setup), network.layout, setup.initial?.[group]);
      takeInitialMoments(this.moments?.of(group) ?? null, setup.initial?.[group]);
      return new FollowedParameters(flat, optimizer);
    });
    const { layout, networks, policies } = this;
    this.learning = createLearningGroups(world, policies, networks, { layout, parameters }).map((group) => {
      const { group: index } = group.policy;
      const random = new RandomStream(memberKey(setup, PURPOSE.initialWeights, index, 1));
      const critics = new FollowedParameters(initialCritics(group.critics, random), optimizer);
      return { group, actor: this.actors[index]!, critics };
    });
  }

  /** Compiled passes are kept, because compiling one costs as much as playing many steps. */
  async createActor(
    group: number,
    rowCount: number,
    { values, explores, environmentCount }: ActorOptions,
    updateIndex: () => number,
  ): Promise<Actor> {
    const groups = this.learning.map((each) => each.group);
    const own = groups.find(({ policy }) => policy.group === group);
    const pass = {
      policy: this.policies[group]!,
      network: this.networks[group]!,
      rowCount,
      environmentCount,
      isNormalized: this.moments !== null,
      valued: values && own !== undefined ? { group: own, groups } : null,
    };
    const name = [group, rowCount, environmentCount, values].join(' ');
    const graph = this.passes.get(name) ?? this.executor.compile(actingGraph(pass));
    this.passes.set(name, graph);
    const asked = { jointSize: values || explores ? this.jointSize : 0, hasValues: values };
    return new GroupActor(await graph, pass, asked, () => ({
      arrays: this.actingArrays(group, updateIndex()),
      exploration: explores ? this.explorationAt(updateIndex()) : 0,
      unit: this.rewards?.unitOf(group) ?? 1,
    }));
  }

  /** Share of actions that are uniformly random. */
  explorationAt(updateIndex: number): number {
    return settingAt(this.parameters.exploration, updateIndex / this.updateCount);
  }

  policyGraph(group: number, updateIndex: number): PolicyGraph {
    const policy = this.policies[group]!;
    const { network, layout } = this.networks[group]!;
    // A copy: the optimizer writes over its arrays step after step.
    const own = { layout, values: this.actors[group]!.newest.slice() };
    const weights = this.moments === null ? own : weightsWithMoments(own, this.moments.of(group));
    const parameters = constantsFrom(weights);
    const apply = (x: Expression): PolicyOutputs => {
      const [mean, scale] = [parameters[OBSERVATION_MEAN], parameters[OBSERVATION_SCALE]];
      const seen = mean && scale ? normalizedObservations(x, mean, scale) : x;
      const { outputs } = network.apply(seen, parameters, null);
      const deviation = constant([this.logDeviationAt(updateIndex)]);
      return { outputs: headOutputs(policy, outputs, deviation), memory: null };
    };
    return exportedPolicyGraph(policy, apply, weights);
  }

  arrays(): Record<string, CheckpointArray> {
    const parts = this.parts().flatMap(({ name, parameters }) =>
      Object.entries(parameters.arrays()).map(([part, array]) => [`${name}.${part}`, array] as const),
    );
    return { ...Object.fromEntries(parts), ...this.moments?.arrays(), ...prefixed('rewards', this.rewards?.arrays()) };
  }

  /** Reads what a checkpoint holds, and takes it up when called. @throws REQUEST_CONFLICT when it is of other networks */
  reader(arrays: Readonly<Record<string, CheckpointArray | undefined>>): () => void {
    const readers = this.parts().map(({ name, parameters }) => {
      const own = Object.entries(arrays).filter(([each]) => each.startsWith(`${name}.`));
      return parameters.reader(
        Object.fromEntries(own.map(([each, array]) => [each.slice(name.length + 1), array])),
        name,
      );
    });
    if (this.moments !== null) readers.push(this.moments.reader(arrays));
    if (this.rewards !== null) readers.push(this.rewards.reader(partOf(arrays, 'rewards.')));
    return () => {
      for (const take of readers) take();
    };
  }

  async release(): Promise<void> {
    for (const pass of this.passes.values()) await (await pass).release();
    this.passes.clear();
  }

  private actingArrays(group: number, updateIndex: number): NamedArrays {
    const own = this.learning.find((each) => each.group.policy.group === group);
    return {
      parameters: this.actors[group]!.newest,
      log_deviation: Float32Array.of(this.logDeviationAt(updateIndex)),
      ...(own && { critics: own.critics.newest }),
      ...Object.fromEntries(this.actors.map((actor, index) => [`actor.${index}`, actor.newest])),
      ...this.moments?.inputs(),
    };
  }

  private logDeviationAt(updateIndex: number): number {
    return Math.log(settingAt(this.parameters.action_deviation, updateIndex / this.updateCount));
  }

  /** What a checkpoint holds, by name. */
  private parts(): { name: string; parameters: FollowedParameters }[] {
    return [
      ...this.actors.map((parameters, group) => ({ name: `actor${group}`, parameters })),
      ...this.learning.map(({ group, critics }) => ({ name: `critics${group.policy.group}`, parameters: critics })),
    ];
  }
}
