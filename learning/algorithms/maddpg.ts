import { ThawError } from '../../schemas/errors.ts';
import type { AdvantageOptions } from '../advantages.ts';
import { bytesFromCheckpoint, checkpointFromBytes } from '../checkpoint.ts';
import { ReplayBuffer } from '../replay/replay-buffer.ts';
import type { PolicyGraph } from '../transfer/policy-graph.ts';
import type { ExperienceNeeds } from '../rollout/rollout-buffer.ts';
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
import { MaddpgNetworks } from './maddpg/networks.ts';
import { maddpgParametersSchema, type MaddpgParameters } from './maddpg/parameters.ts';
import { MaddpgUpdate } from './maddpg/update.ts';

/**
 * Multi-agent deep deterministic policy gradient: every seat acts on its own observation; the critic that its actor is
 * improved against sees the whole state and what all learners do, and learns from replayed transitions.
 *
 * @source Lowe et al. 2017: Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (arXiv 1706.02275)
 */
export const maddpg: Algorithm = {
  name: 'maddpg',
  aliases: ['multi_agent_ddpg'],
  summary: 'multi-agent DDPG: own actors, critics of the joint state and all actions, replay',
  parametersSchema: maddpgParametersSchema,
  gradientRows: (parameters) => {
    const { minibatch_size: rows } = parameters as MaddpgParameters;
    return { minibatchRows: rows, grainRows: rows, chunkRows: rows };
  },
  createLearner: async (setup) => new MaddpgLearner(setup),
};

const NEEDS: ExperienceNeeds = { values: false, nextInputs: true, joint: true };

class MaddpgLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly needs = NEEDS;
  readonly replay: ReplayBuffer;
  readonly returns: AdvantageOptions;
  updateIndex = 0;
  private readonly networks: MaddpgNetworks;
  private readonly updates: MaddpgUpdate;

  constructor(setup: LearnerSetup) {
    const { gamma, n_step: steps, replay: settings } = setup.parameters as MaddpgParameters;
    this.networks = new MaddpgNetworks(setup);
    this.policies = this.networks.policies;
    this.returns = { gamma, lambda: 1 };
    const updateIndex = (): number => this.updateIndex;
    this.replay = new ReplayBuffer({ layout: this.networks.layout, settings, steps, gamma, updateIndex });
    this.updates = new MaddpgUpdate(setup, this.networks, this.replay);
  }

  createActor(group: number, rowCount: number, options: ActorOptions): Promise<Actor> {
    return this.networks.createActor(group, rowCount, options, () => this.updateIndex);
  }

  async update(experienced: Experienced): Promise<UpdateMetrics> {
    const metrics = await this.updates.improve(experienced, this.updateIndex);
    this.updateIndex += 1;
    return metrics;
  }

  get divergence(): Divergence | null {
    return this.updates.divergence;
  }

  save(): Uint8Array {
    const header = { algorithm: maddpg.name, updateIndex: this.updateIndex };
    return bytesFromCheckpoint({ header, arrays: { ...this.networks.arrays(), ...this.replay.arrays() } });
  }

  load(bytes: Uint8Array): void {
    const { header, arrays } = checkpointFromBytes(bytes);
    if (header['algorithm'] !== maddpg.name) {
      throw new ThawError(
        'REQUEST_CONFLICT',
        `a checkpoint of ${String(header['algorithm'])} cannot go on as ${maddpg.name}`,
      );
    }
    const takeNetworks = this.networks.reader(arrays);
    this.replay.load(arrays);
    takeNetworks();
    this.updates.forgetDivergence();
    this.updateIndex = Number(header['updateIndex']);
  }

  policyGraph(group: number): PolicyGraph {
    return this.networks.policyGraph(group, this.updateIndex);
  }

  async release(): Promise<void> {
    await Promise.all([this.networks.release(), this.updates.release()]);
  }
}
