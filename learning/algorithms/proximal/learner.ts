import { ThawError } from '../../../schemas/errors.ts';
import type { AdvantageOptions } from '../../advantages.ts';
import { bytesFromCheckpoint, type CheckpointArray, checkpointFromBytes, partOf } from '../../checkpoint.ts';
import { scheduledValue } from '../../optimization/schedule.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import { type ExperienceNeeds, PLAIN_NEEDS } from '../../rollout/rollout-buffer.ts';
import type {
  Actor,
  ActorOptions,
  Divergence,
  Experienced,
  Learner,
  LearnerSetup,
  PolicyDescription,
  UpdateMetrics,
} from '../contract.ts';
import { describePolicy } from '../describe-policy.ts';
import type { PolicyGraph } from '../exported-policy.ts';
import { GroupNetwork } from './group-network.ts';
import { completeParameters, type ProximalParameters } from './parameters.ts';
import type { UpdateRates } from './update.ts';

/** What distinguishes the proximal algorithms from each other. */
export interface ProximalKind {
  /** Whether the critic sees what all seats see, and the actors only what their own does. */
  readonly centralCritic: boolean;
}

/** Proximal policy optimization of all groups of seats, a network for each. */
export class ProximalLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs: ExperienceNeeds;
  readonly replay = null;
  readonly returns: AdvantageOptions;
  updateIndex = 0;
  divergence: Divergence | null = null;
  private readonly parameters: ProximalParameters;
  private readonly networks: readonly GroupNetwork[];
  private readonly updateCount: number;
  private lastFinite: UpdateMetrics = {};

  constructor(setup: LearnerSetup, { centralCritic }: ProximalKind) {
    const { world, learners, updateCount } = setup;
    this.parameters = completeParameters(setup.parameters, world);
    this.needs = { ...PLAIN_NEEDS, joint: centralCritic };
    this.returns = { gamma: this.parameters.gamma, lambda: this.parameters.lambda };
    this.updateCount = updateCount;
    const jointSize = centralCritic ? jointSizeOf(world) : 0;
    const memorySize = 2 * (this.parameters.recurrent?.units ?? 0);
    this.policies = world.groups.map((_, group) => describePolicy(world, group, learners, this.parameters, memorySize));
    this.networks = this.policies.map((policy) => new GroupNetwork(policy, jointSize, this.parameters, setup));
  }

  createActor(group: number, rowCount: number, { values, environmentCount }: ActorOptions): Promise<Actor> {
    return this.networks[group]!.createActor({ rowCount, environmentCount, values });
  }

  async update({ rollouts, played, simulators }: Experienced): Promise<UpdateMetrics> {
    const metrics: Record<string, number> = {};
    const rates = this.rates();
    for (const rollout of rollouts) {
      const group = this.networks[rollout.group]!;
      const own = await group.improve({ rollout, played, simulators }, this.updateIndex, rates);
      const prefix = this.policies.length === 1 ? '' : `group${rollout.group}.`;
      for (const [name, value] of Object.entries(named(own.metrics, rates))) metrics[`${prefix}${name}`] = value;
      if (own.divergence === null) continue;
      const what = own.divergence.what === 'parameters' ? 'parameters' : `${prefix}${own.divergence.what}`;
      this.divergence ??= { ...own.divergence, what, lastFinite: this.lastFinite };
      break;
    }
    if (Object.values(metrics).every(Number.isFinite)) this.lastFinite = metrics;
    this.updateIndex += 1;
    return metrics;
  }

  save(): Uint8Array {
    const arrays: Record<string, CheckpointArray> = {};
    this.networks.forEach((network, group) => {
      for (const [name, array] of Object.entries(network.arrays())) arrays[`${group}.${name}`] = array;
    });
    return bytesFromCheckpoint({ header: { algorithm: this.parameters.name, updateIndex: this.updateIndex }, arrays });
  }

  load(bytes: Uint8Array): void {
    const { header, arrays } = checkpointFromBytes(bytes);
    const { name } = this.parameters;
    if (header['algorithm'] !== name) {
      throw new ThawError('REQUEST_CONFLICT', `a checkpoint of ${String(header['algorithm'])} cannot go on as ${name}`);
    }
    const readers = this.networks.map((network, group) => network.reader(partOf(arrays, `${group}.`)));
    for (const read of readers) read();
    this.updateIndex = Number(header['updateIndex']);
    this.divergence = null;
    this.lastFinite = {};
  }

  policyGraph(group: number): PolicyGraph {
    return this.networks[group]!.policyGraph();
  }

  async release(): Promise<void> {
    await Promise.all(this.networks.map((network) => network.release()));
  }

  /** Of the next update. */
  private rates(): UpdateRates {
    const { parameters, updateCount, updateIndex } = this;
    const progress = updateIndex / updateCount;
    const learningRate = {
      shape: parameters.learning_rate_schedule,
      initial: parameters.learning_rate,
      final: parameters.learning_rate_final,
      warmup: parameters.warmup,
    };
    const entropy = {
      shape: parameters.entropy_schedule,
      initial: parameters.entropy_coefficient,
      final: parameters.entropy_coefficient_final,
      warmup: 0,
    };
    return {
      learningRate: scheduledValue(learningRate, progress, 1 / updateCount),
      entropyCoefficient: scheduledValue(entropy, progress),
    };
  }
}

/** An update without a learner's sample reports nothing. */
function named(metrics: UpdateMetrics, { learningRate, entropyCoefficient }: UpdateRates): UpdateMetrics {
  if (Object.keys(metrics).length === 0) return metrics;
  return { ...metrics, learning_rate: learningRate, entropy_coefficient: entropyCoefficient };
}
