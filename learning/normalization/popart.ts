// Letters: H inputs of the value head.

/** Weight of the past in the running moments; one update is one block of experience. */
const DECAY = 0.9;
/** A critic of constant returns must not divide by zero. */
const VARIANCE_MIN = 1e-4;

/** Running moments of value targets, biased towards 0 at first; `weight` undoes that. */
export interface ValueMoments {
  readonly mean: number;
  readonly meanOfSquares: number;
  readonly weight: number;
}

export const INITIAL_MOMENTS: ValueMoments = { mean: 0, meanOfSquares: 0, weight: 0 };

export interface ValueScale {
  readonly mean: number;
  readonly std: number;
}

/** The mean and deviation that normalised values are read with; 0 and 1 before the first target was seen. */
export function scaleFromMoments({ mean, meanOfSquares, weight }: ValueMoments): ValueScale {
  if (weight === 0) return { mean: 0, std: 1 };
  const unbiased = mean / weight;
  return { mean: unbiased, std: Math.sqrt(Math.max(VARIANCE_MIN, meanOfSquares / weight - unbiased * unbiased)) };
}

/** The moments after another block of targets, in units of return. */
export function updatedMoments(moments: ValueMoments, targets: Float32Array): ValueMoments {
  let sum = 0;
  let squares = 0;
  for (const target of targets) {
    sum += target;
    squares += target * target;
  }
  const mix = (past: number, now: number): number => DECAY * past + (1 - DECAY) * now;
  return {
    mean: mix(moments.mean, sum / targets.length),
    meanOfSquares: mix(moments.meanOfSquares, squares / targets.length),
    weight: mix(moments.weight, 1),
  };
}

/**
 * Rewrites a linear value head so that it predicts the same returns under a new scale:
 *
 *     w' = w·σ/σ',   b' = (σ·b + μ − μ')/σ'
 *
 * @param weight shape [H], rewritten
 * @param bias shape [1], rewritten
 * @source van Hasselt et al.: Learning values across many orders of magnitude (PopArt), eq. 4 and 5
 */
export function rescaleHead(weight: Float32Array, bias: Float32Array, before: ValueScale, after: ValueScale): void {
  const ratio = before.std / after.std;
  for (let index = 0; index < weight.length; index += 1) weight[index]! *= ratio;
  bias[0] = (before.std * bias[0]! + before.mean - after.mean) / after.std;
}
