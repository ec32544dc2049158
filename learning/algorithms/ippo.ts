import { ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import type { AdvantageOptions } from '../advantages.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../checkpoint.ts';
import type { Graph } from '../graph/expression.ts';
import { PLAIN_NEEDS } from '../rollout/rollout-buffer.ts';
import type {
  Actor,
  ActorOptions,
  Algorithm,
  Divergence,
  Experienced,
  Learner,
  LearnerSetup,
  PolicyDescription,
  UpdateMetrics,
} from './contract.ts';
import { gradientRows } from './gradient-rows.ts';
import { ippoParametersSchema, type IppoParameters } from './ippo-parameters.ts';
import { PpoNetwork } from './ppo-network.ts';

/**
 * Independent proximal policy optimization: every seat learns from its own observation and reward; seats of one group
 * share a network.
 *
 * @source de Witt et al.: Is Independent Learning All You Need in the StarCraft Multi-Agent Challenge? (arXiv 2011.09533)
 */
export const ippo: Algorithm = {
  name: 'ippo',
  aliases: ['independent_ppo'],
  summary: 'independent PPO with parameter sharing between seats of one role',
  parametersSchema: ippoParametersSchema,
  gradientRows: (parameters, world) => {
    const seatsMax = Math.max(...world.groups.map(({ seats }) => seats.length));
    const sampleCountMax = parameters.parallel_environments * parameters.rollout_steps * seatsMax;
    return gradientRows(parameters as IppoParameters, sampleCountMax);
  },
  createLearner: async (setup) => new IppoLearner(setup),
};

class IppoLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs = PLAIN_NEEDS;
  readonly replay = null;
  updateIndex = 0;
  readonly returns: AdvantageOptions;
  private readonly parameters: IppoParameters;
  private readonly networks: readonly PpoNetwork[];
  private readonly updateCount: number;

  constructor(setup: LearnerSetup) {
    const { world, learners, executor, updateCount } = setup;
    this.parameters = setup.parameters as IppoParameters;
    this.returns = { gamma: this.parameters.gamma, lambda: this.parameters.lambda };
    this.updateCount = updateCount;
    this.policies = world.groups.map((_, group) => describePolicy(world, group, learners, this.parameters));
    this.networks = this.policies.map((policy) => new PpoNetwork(policy, this.parameters, executor, setup));
  }

  createActor(group: number, rowCount: number, options: ActorOptions): Promise<Actor> {
    return this.networks[group]!.createActor(rowCount, options);
  }

  async update({ rollouts }: Experienced): Promise<UpdateMetrics> {
    const metrics: Record<string, number> = {};
    for (const rollout of rollouts) {
      const own = await this.networks[rollout.group]!.improve(rollout, this.updateIndex, this.learningRate());
      const prefix = this.policies.length === 1 ? '' : `group${rollout.group}.`;
      for (const [name, value] of Object.entries(own)) metrics[`${prefix}${name}`] = value;
    }
    this.updateIndex += 1;
    return metrics;
  }

  save(): Uint8Array {
    const arrays: Record<string, Float32Array | Float64Array> = {};
    this.networks.forEach((network, group) => {
      for (const [name, array] of Object.entries(network.arrays())) arrays[`${group}.${name}`] = array;
    });
    return bytesFromCheckpoint({ header: { algorithm: ippo.name, updateIndex: this.updateIndex }, arrays });
  }

  load(bytes: Uint8Array): void {
    const { header, arrays } = checkpointFromBytes(bytes);
    if (header['algorithm'] !== ippo.name) {
      throw new ThawError(
        'REQUEST_CONFLICT',
        `a checkpoint of ${String(header['algorithm'])} cannot go on as ${ippo.name}`,
      );
    }
    this.networks.forEach((network, group) => {
      const own = Object.entries(arrays).filter(([name]) => name.startsWith(`${group}.`));
      network.load(Object.fromEntries(own.map(([name, array]) => [name.slice(name.indexOf('.') + 1), array])));
    });
    this.updateIndex = Number(header['updateIndex']);
  }

  get divergence(): Divergence | null {
    if (this.networks.every((network) => network.isFinite())) return null;
    return { optimizerStep: 0, what: 'parameters', lastFinite: {} };
  }

  policyGraph(group: number): Graph {
    return this.networks[group]!.policyGraph();
  }

  async release(): Promise<void> {
    await Promise.all(this.networks.map((network) => network.release()));
  }

  private learningRate(): number {
    const { learning_rate: initial, learning_rate_schedule: schedule } = this.parameters;
    return schedule === 'constant' ? initial : initial * Math.max(0, 1 - this.updateIndex / this.updateCount);
  }
}

/** An identity is added only where several learners share the network: a single one has nobody to be told from. */
function describePolicy(
  world: World,
  group: number,
  learners: readonly number[],
  parameters: IppoParameters,
): PolicyDescription {
  const { seats, observationSize, actions } = world.groups[group]!;
  const sharing = seats.filter((seat) => learners.includes(seat)).length > 1;
  const identitySize = parameters.seat_identity && sharing ? seats.length : 0;
  return {
    group,
    inputSize: observationSize + identitySize,
    identitySize,
    actions,
    isMasked: world.groups[group]!.masked === true,
    memorySize: 0,
  };
}
