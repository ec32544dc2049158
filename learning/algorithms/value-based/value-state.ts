import { type CheckpointArray, partOf, prefixed } from '../../checkpoint.ts';
import {
  createOptimizerState,
  optimizerArrays,
  optimizerFromArrays,
  type OptimizerState,
} from '../../optimization/optimizer.ts';
import type { ObservedMoments } from './observed-moments.ts';
import type { ValueParameters } from './parameters.ts';
import { moveTarget } from './target-parameters.ts';

// Letters: P parameters.

type Arrays = Readonly<Record<string, CheckpointArray | undefined>>;

/** What training changes of a learner, but for what it keeps of former blocks. */
export class ValueState {
  readonly moments: ObservedMoments;
  /** Shape [P]: parameters of the target network. */
  readonly target: Float32Array;
  private newest: OptimizerState;

  /** @param parameters shape [P], kept */
  constructor(parameters: Float32Array, moments: ObservedMoments) {
    this.moments = moments;
    this.newest = createOptimizerState(parameters);
    this.target = parameters.slice();
  }

  get optimizer(): OptimizerState {
    return this.newest;
  }

  /** An optimizer step was taken. */
  advance(next: OptimizerState, settings: Pick<ValueParameters, 'target_tau' | 'target_update_interval'>): void {
    this.newest = next;
    moveTarget(this.target, next.parameters, next.stepCount, settings);
  }

  arrays(): Readonly<Record<string, CheckpointArray>> {
    return { ...optimizerArrays(this.newest), target: this.target, ...prefixed('moments', this.moments.arrays()) };
  }

  /**
   * Reads what a checkpoint holds, and takes it up when called.
   * @param owner whose it is, for the error @throws REQUEST_CONFLICT when it is of other networks
   */
  prepareLoad(arrays: Arrays, owner: string): () => void {
    const size = this.target.length;
    const newest = optimizerFromArrays(arrays, size, owner);
    const target = optimizerFromArrays({ ...arrays, parameters: arrays['target'] }, size, owner).parameters;
    const takeMoments = this.moments.prepareLoad(partOf(arrays, 'moments.'));
    return () => {
      this.newest = newest;
      this.target.set(target);
      takeMoments();
    };
  }
}
