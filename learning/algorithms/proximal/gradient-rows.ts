import type { GradientRows } from '../contract.ts';
import type { ProximalParameters } from './parameters.ts';

/** A graph grows by all nodes of a grain for each grain in it; beyond so many it is compiled longer than it saves. */
const GRAINS_AT_ONCE_MAX = 32;

/** How the samples of a block hang together. Without a memory every sample is a sequence of one step. */
export interface BlockSequences {
  /** Sequences of a block, or the most there can be. */
  readonly sequenceCount: number;
  /** Steps of a sequence, all alike: the last ones of a row are padded. */
  readonly sequenceSteps: number;
}

/** @param stepCount steps of a block @param rowCount rows of a step */
export function blockSequences(
  { recurrent }: Pick<ProximalParameters, 'recurrent'>,
  stepCount: number,
  rowCount: number,
): BlockSequences {
  const sequenceSteps = recurrent === null ? 1 : Math.min(recurrent.sequence_steps, stepCount);
  return { sequenceCount: Math.ceil(stepCount / sequenceSteps) * rowCount, sequenceSteps };
}

/**
 * How minibatches are divided: into whole sequences. A block that holds fewer samples than asked for is one minibatch
 * without padding, and one grain where a grain is no smaller.
 */
export function gradientRows(
  { minibatch_size: asked, gradient_grain: grain }: Pick<ProximalParameters, 'minibatch_size' | 'gradient_grain'>,
  { sequenceCount, sequenceSteps }: BlockSequences,
): GradientRows {
  const whole = (rows: number): number => Math.max(1, Math.floor(rows / sequenceSteps)) * sequenceSteps;
  const minibatchRows = Math.min(whole(asked), sequenceCount * sequenceSteps);
  const grainRows = Math.min(whole(grain ?? minibatchRows), minibatchRows);
  // A cell for every step: the longer the sequences, the more nodes a grain has.
  const grainsAtOnce = Math.max(1, Math.floor(GRAINS_AT_ONCE_MAX / sequenceSteps));
  return { minibatchRows, grainRows, chunkRows: Math.min(minibatchRows, grainsAtOnce * grainRows) };
}
