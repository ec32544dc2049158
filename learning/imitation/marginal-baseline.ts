import type { ActionArray, ActionSpace } from '../../simulators/contract.ts';

// Letters: n samples, A actions, D numbers of a box, W numbers of an action.

/** Deviations below this are taken for it, so that an action that never varied has a density. */
export const LOG_DEVIATION_MIN = -5;

/**
 * Whoever looks at nothing: the outputs of a policy, shape [O], that gives each action as often as it was taken. A clone that
 * tells held-out actions no better than this has learnt nothing of what its model looked at.
 *
 * Discrete: log((nₐ + 1) / (n + A)), n of the samples and nₐ of them with action a; the 1 keeps an action that was never
 * taken possible. Box: means, then log max(σ, e⁻⁵).
 *
 * @param actions shape [n W], scaled to [−1, 1] where they are of a box @param rows of the samples it is made from
 */
export function marginalOutputs(space: ActionSpace, actions: ActionArray, rows: Int32Array): Float32Array {
  if (space.kind === 'discrete') {
    const counts = new Float64Array(space.count).fill(1);
    for (const row of rows) counts[actions[row]!]! += 1;
    return Float32Array.from(counts, (count) => Math.log(count / (rows.length + space.count)));
  }
  const size = space.low.length;
  const outputs = new Float32Array(2 * size);
  for (let index = 0; index < size; index += 1) {
    let sum = 0;
    for (const row of rows) sum += actions[row * size + index]!;
    const mean = sum / rows.length;
    let squares = 0;
    for (const row of rows) squares += (actions[row * size + index]! - mean) ** 2;
    outputs[index] = mean;
    outputs[size + index] = Math.max(LOG_DEVIATION_MIN, Math.log(Math.sqrt(squares / rows.length)));
  }
  return outputs;
}
