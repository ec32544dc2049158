import { assertShapes } from '../schemas/assert-shapes.ts';
import { STEP_CONTINUES, STEP_TERMINATED, type Rollout } from './rollout/rollout-buffer.ts';

// Letters: T steps, R rows (one agent of one environment each).

export interface AdvantageOptions {
  /** Discount per step, 0 … 1. */
  readonly gamma: number;
  /** Trace decay, 0 … 1. */
  readonly lambda: number;
}

/**
 * Generalised advantage estimation.
 *
 *     δ_t = r_t + γ·V(s_{t+1}) − V(s_t),   A_t = δ_t + γλ·A_{t+1}
 *
 * A termination cuts both the bootstrap V(s_{t+1}) and the trace; a truncation, and the end of the block, cut the
 * trace only: the episode would have gone on, so what follows still has a value.
 *
 * @param rollout arrays of shape [T R]
 * @param out shape [T R], filled: the advantages in units of return
 * @throws DEFECT_SHAPE_MISMATCH
 * @source Schulman et al.: High-Dimensional Continuous Control Using Generalized Advantage Estimation, eq. 16
 */
export function fillAdvantages(rollout: Rollout, { gamma, lambda }: AdvantageOptions, out: Float32Array): void {
  const { stepCount, rowCount, rewards, values, nextValues, ends } = rollout;
  const size = stepCount * rowCount;
  assertShapes({
    rewards: [[rewards.length], 'S'],
    values: [[values.length], 'S'],
    nextValues: [[nextValues.length], 'S'],
    out: [[out.length], 'S'],
    block: [[size], 'S'],
  });
  const decay = gamma * lambda;
  for (let row = 0; row < rowCount; row += 1) {
    let trace = 0;
    for (let index = size - rowCount + row; index >= 0; index -= rowCount) {
      const end = ends[index]!;
      const bootstrap = end === STEP_TERMINATED ? 0 : gamma * nextValues[index]!;
      const delta = rewards[index]! + bootstrap - values[index]!;
      trace = end === STEP_CONTINUES ? delta + decay * trace : delta;
      out[index] = trace;
    }
  }
}
