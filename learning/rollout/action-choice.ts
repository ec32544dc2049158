// Letters: R rows, A actions.

/**
 * Draws an action from softmax(logits) of one row. An action whose logit is −∞ is never drawn.
 *
 * @param logits shape [R A]
 * @param uniform in [0, 1): the same number gives the same action
 * @returns index of the action, 0 … A−1
 */
export function sampleAction(logits: Float32Array, row: number, actionCount: number, uniform: number): number {
  const offset = row * actionCount;
  let largest = -Infinity;
  for (let action = 0; action < actionCount; action += 1) largest = Math.max(largest, logits[offset + action]!);
  let total = 0;
  for (let action = 0; action < actionCount; action += 1) total += Math.exp(logits[offset + action]! - largest);
  let threshold = uniform * total;
  let possible = 0;
  for (let action = 0; action < actionCount; action += 1) {
    const share = Math.exp(logits[offset + action]! - largest);
    if (share === 0) continue;
    possible = action;
    threshold -= share;
    if (threshold < 0) return action;
  }
  // Rounding may leave a rest, which must not fall to an action that is impossible.
  return possible;
}

/** The log probability of an action under softmax(logits) of one row, in nats. */
export function logProbability(logits: Float32Array, row: number, actionCount: number, chosen: number): number {
  const offset = row * actionCount;
  let largest = -Infinity;
  for (let action = 0; action < actionCount; action += 1) largest = Math.max(largest, logits[offset + action]!);
  let total = 0;
  for (let action = 0; action < actionCount; action += 1) total += Math.exp(logits[offset + action]! - largest);
  return logits[offset + chosen]! - largest - Math.log(total);
}

/** The most probable action of one row; of equals the first, so that the choice never depends on chance. */
export function bestAction(logits: Float32Array, row: number, actionCount: number): number {
  const offset = row * actionCount;
  let best = 0;
  for (let action = 1; action < actionCount; action += 1) {
    if (logits[offset + action]! > logits[offset + best]!) best = action;
  }
  return best;
}

/** How a policy turns logits into an action. */
export type PolicyMode = 'deterministic' | 'sampled';

/** Makes illegal actions impossible. @param logits shape [R A], −∞ where `masks` is 0 @param masks shape [R A]: 1 legal, 0 not */
export function excludeIllegal(logits: Float32Array, masks: Uint8Array): void {
  for (let index = 0; index < masks.length; index += 1) if (masks[index] === 0) logits[index] = -Infinity;
}
