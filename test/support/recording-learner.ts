import type { Actor, Divergence, Experienced, Learner, PolicyDescription } from '../../learning/algorithms/contract.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { PLAIN_NEEDS, type Rollout } from '../../learning/rollout/rollout-buffer.ts';
import type { World } from '../../simulators/contract.ts';

/** What the recording learner says a state is worth: a sum that every feature changes. */
export function valueOfInputs(inputs: ArrayLike<number>): number {
  return Math.fround(Array.from(inputs).reduce((sum, feature, index) => sum + (index + 1) * feature, 0));
}

/** Acts uniformly at random, learns nothing, and keeps a copy of all the experience it is given. */
export class RecordingLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly rollouts: Rollout[][] = [];
  readonly needs = PLAIN_NEEDS;
  readonly replay = null;
  readonly divergence: Divergence | null = null;
  readonly returns = { gamma: 0.9, lambda: 0.8 };

  constructor(world: World) {
    this.policies = world.groups.map(({ observationSize, actions }, group) => ({
      group,
      inputSize: observationSize,
      identitySize: 0,
      actions,
      isMasked: false,
      memorySize: 0,
    }));
  }

  get updateIndex(): number {
    return this.rollouts.length;
  }

  async createActor(group: number, rowCount: number): Promise<Actor> {
    const { inputSize, actions } = this.policies[group]!;
    const inputs = new Float32Array(rowCount * inputSize);
    const values = new Float32Array(rowCount);
    const rowOf = (row: number) => inputs.subarray(row * inputSize, (row + 1) * inputSize);
    return {
      rowCount,
      inputs,
      masks: null,
      joint: null,
      memory: null,
      logits: new Float32Array(rowCount * actionHead(actions).outputSize),
      values,
      forward: async () => values.forEach((_, row) => (values[row] = valueOfInputs(rowOf(row)))),
      release: async () => undefined,
    };
  }

  async update({ rollouts }: Experienced): Promise<Record<string, number>> {
    this.rollouts.push(structuredClone([...rollouts]));
    return { updates: this.rollouts.length };
  }

  save = (): never => this.refuse();
  load = (): never => this.refuse();
  policyGraph = (): never => this.refuse();
  release = async (): Promise<void> => undefined;

  private refuse(): never {
    throw new Error('the recording learner has no weights');
  }
}
