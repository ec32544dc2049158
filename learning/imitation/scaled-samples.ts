import type { ActionArray } from '../../simulators/contract.ts';
import type { ObservationMoments } from '../normalization/observation-moments.ts';

// Letters: n samples, I observation features, W numbers of an action.

/** Demonstrations as they are fitted to. */
export interface ScaledSamples {
  /** I. */
  readonly inputSize: number;
  /** W. */
  readonly actionSize: number;
  /** Shape [n I]. */
  readonly inputs: Float32Array;
  /** Shape [n W], scaled to [−1, 1] where they are of a box. */
  readonly actions: ActionArray;
  /** Shape [n A], see `Demonstrations`. */
  readonly masks: Float32Array | null;
  /** Of the inputs that are fitted to. */
  readonly moments: ObservationMoments;
}

/** Copies chosen rows, K numbers each, to the beginning of an array. @param from shape [n K] @param to shape [≥ rows K] */
export function gatherRows(from: ActionArray, rows: Int32Array, width: number, to: ActionArray): void {
  rows.forEach((row, place) => to.set(from.subarray(row * width, (row + 1) * width), place * width));
}
