import type { GradientRows } from './contract.ts';
import type { IppoParameters } from './ippo-parameters.ts';

/** A graph grows by all nodes of a grain for each grain in it; beyond so many it is compiled longer than it saves. */
const GRAINS_AT_ONCE_MAX = 32;

/**
 * How minibatches are divided. A block that holds fewer samples than asked for is one minibatch without padding, and one
 * grain where a grain is no smaller.
 *
 * @param sampleCount samples of a block, or the most there can be
 */
export function gradientRows(
  { minibatch_size: asked, gradient_grain: grain }: Pick<IppoParameters, 'minibatch_size' | 'gradient_grain'>,
  sampleCount: number,
): GradientRows {
  const minibatchRows = Math.min(asked, sampleCount);
  // Parameters that were resolved before there were grains lack the key.
  const grainRows = Math.min(grain ?? minibatchRows, minibatchRows);
  return { minibatchRows, grainRows, chunkRows: Math.min(minibatchRows, GRAINS_AT_ONCE_MAX * grainRows) };
}
