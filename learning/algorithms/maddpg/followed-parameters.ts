import type { CheckpointArray } from '../../checkpoint.ts';
import type { NamedArrays } from '../../executor.ts';
import {
  createOptimizerState,
  optimizerArrays,
  OptimizerBuffers,
  optimizerFromArrays,
  type OptimizerKind,
  type OptimizerState,
} from '../../optimization/optimizer.ts';

// Letters: P parameters.

/** Parameters that an optimizer moves, and those of a target network that follow them. All arrays are [P]. */
export class FollowedParameters {
  private state: OptimizerState;
  private readonly buffers: OptimizerBuffers;
  private followers: Float32Array;
  private spare: Float32Array;

  /** @param parameters kept */
  constructor(parameters: Float32Array, optimizer: OptimizerKind) {
    this.state = createOptimizerState(parameters);
    this.buffers = new OptimizerBuffers(parameters.length, optimizer);
    this.followers = parameters.slice();
    this.spare = new Float32Array(parameters.length);
  }

  get newest(): Float32Array {
    return this.state.parameters;
  }

  /** Of the target network. */
  get target(): Float32Array {
    return this.followers;
  }

  get stepCount(): number {
    return this.state.stepCount;
  }

  /** What a graph of an optimizer step that also moves the target is given. */
  inputs(learningRate: number): NamedArrays {
    return { ...this.buffers.inputs(this.state, learningRate), target: this.followers };
  }

  /** Where it writes to. */
  outputs(): NamedArrays {
    return { ...this.buffers.outputs(), target_next: this.spare };
  }

  /** The step is done. */
  advance(): void {
    this.state = this.buffers.advance(this.state);
    [this.followers, this.spare] = [this.spare, this.followers];
  }

  arrays(): Readonly<Record<string, CheckpointArray>> {
    return { ...optimizerArrays(this.state), target: this.followers };
  }

  /** Reads what a checkpoint holds, and takes it up when all of it fits. @throws REQUEST_CONFLICT */
  reader(arrays: Readonly<Record<string, CheckpointArray | undefined>>, owner: string): () => void {
    const size = this.followers.length;
    const state = optimizerFromArrays(arrays, size, owner);
    const target = optimizerFromArrays({ ...arrays, parameters: arrays['target'] }, size, owner).parameters;
    return () => {
      this.state = state;
      this.followers = target;
    };
  }
}
