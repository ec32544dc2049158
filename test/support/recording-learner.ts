import type { Actor, Learner, PolicyDescription } from '../../learning/algorithms/contract.ts';
import { discreteActionCount } from '../../learning/rollout/driven-seats.ts';
import type { Rollout } from '../../learning/rollout/rollout-buffer.ts';
import type { World } from '../../simulators/contract.ts';

/** What the recording learner says a state is worth: a sum that every feature changes. */
export function valueOfInputs(inputs: ArrayLike<number>): number {
  return Math.fround(Array.from(inputs).reduce((sum, feature, index) => sum + (index + 1) * feature, 0));
}

/** Acts uniformly at random, learns nothing, and keeps a copy of all the experience it is given. */
export class RecordingLearner implements Learner {
  readonly policies: readonly PolicyDescription[];
  readonly rollouts: Rollout[][] = [];
  readonly returns = { gamma: 0.9, lambda: 0.8 };

  constructor(world: World) {
    this.policies = world.groups.map(({ observationSize, actions }, group) => ({
      group,
      inputSize: observationSize,
      identitySize: 0,
      actionCount: discreteActionCount(actions),
    }));
  }

  get updateIndex(): number {
    return this.rollouts.length;
  }

  async createActor(group: number, rowCount: number): Promise<Actor> {
    const { inputSize, actionCount } = this.policies[group]!;
    const inputs = new Float32Array(rowCount * inputSize);
    const values = new Float32Array(rowCount);
    const rowOf = (row: number) => inputs.subarray(row * inputSize, (row + 1) * inputSize);
    return {
      rowCount,
      inputs,
      logits: new Float32Array(rowCount * actionCount),
      values,
      forward: async () => values.forEach((_, row) => (values[row] = valueOfInputs(rowOf(row)))),
      release: async () => undefined,
    };
  }

  async update(rollouts: readonly Rollout[]): Promise<Record<string, number>> {
    this.rollouts.push(structuredClone([...rollouts]));
    return { updates: this.rollouts.length };
  }

  save = (): never => this.refuse();
  load = (): never => this.refuse();
  policyGraph = (): never => this.refuse();
  isFinite = (): boolean => true;
  release = async (): Promise<void> => undefined;

  private refuse(): never {
    throw new Error('the recording learner has no weights');
  }
}
