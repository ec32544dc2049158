import type { ActionSpace } from '../../simulators/contract.ts';

// Letters: R rows, A actions, O outputs of a policy for a row, D numbers of a box; p = softmax of a row of logits.

/**
 * How undecided a policy is in one row, in nats. Of a box it is the differential entropy of the normal distribution over
 * the numbers scaled to [−1, 1], Σ ½ log(2πe σ²), which may be negative.
 * @param outputs shape [R O], see `actionHead`
 */
export function policyEntropy(outputs: Float32Array, row: number, actions: ActionSpace): number {
  if (actions.kind === 'discrete') return actionEntropy(outputs, row, actions.count);
  const size = actions.low.length;
  const logDeviations = outputs.subarray((2 * row + 1) * size, (2 * row + 2) * size);
  return logDeviations.reduce((sum, logDeviation) => sum + logDeviation + 0.5 * Math.log(2 * Math.PI * Math.E), 0);
}

/**
 * How differently two policies act in one row, in [0, 1]. Of a box it is the mean over its numbers of half the distance
 * of the means, clipped to [−1, 1]: the share of the range that one of them would have to move by (*ours*).
 * @param outputs shape [R O] @param others shape [R O]; equal rows give exactly 0
 */
export function policyDifference(
  outputs: Float32Array,
  others: Float32Array,
  row: number,
  actions: ActionSpace,
): number {
  if (actions.kind === 'discrete') return totalVariation(outputs, others, row, actions.count);
  const size = actions.low.length;
  const clipped = (mean: number): number => Math.min(1, Math.max(-1, mean));
  let sum = 0;
  for (let index = 2 * row * size; index < (2 * row + 1) * size; index += 1) {
    sum += Math.abs(clipped(outputs[index]!) - clipped(others[index]!)) / 2;
  }
  return sum / size;
}

/**
 * How undecided a policy is: −Σ p log p of one row, in nats, in [0, ln A]. An action whose logit is −∞ adds nothing.
 * @param logits shape [R A]
 */
function actionEntropy(logits: Float32Array, row: number, actionCount: number): number {
  const { largest, total } = scaleOf(logits, row, actionCount);
  let expectation = 0;
  for (let index = row * actionCount; index < (row + 1) * actionCount; index += 1) {
    const share = Math.exp(logits[index]! - largest) / total;
    if (share > 0) expectation += share * (logits[index]! - largest);
  }
  return Math.log(total) - expectation;
}

/**
 * How differently two policies act: ½ Σ |p − q| of one row, the share of the actions that one of them would have to change,
 * in [0, 1].
 * @param logits shape [R A] @param others shape [R A]; equal rows give exactly 0
 */
function totalVariation(logits: Float32Array, others: Float32Array, row: number, actionCount: number): number {
  const one = scaleOf(logits, row, actionCount);
  const other = scaleOf(others, row, actionCount);
  let sum = 0;
  for (let index = row * actionCount; index < (row + 1) * actionCount; index += 1) {
    const share = Math.exp(logits[index]! - one.largest) / one.total;
    sum += Math.abs(share - Math.exp(others[index]! - other.largest) / other.total);
  }
  return Math.min(1, sum / 2);
}

/** The largest logit of a row, and Σ exp(logit − largest). */
function scaleOf(logits: Float32Array, row: number, actionCount: number): { largest: number; total: number } {
  let largest = -Infinity;
  for (let index = row * actionCount; index < (row + 1) * actionCount; index += 1) {
    largest = Math.max(largest, logits[index]!);
  }
  let total = 0;
  for (let index = row * actionCount; index < (row + 1) * actionCount; index += 1) {
    total += Math.exp(logits[index]! - largest);
  }
  return { largest, total };
}
