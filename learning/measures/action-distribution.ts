// Letters: R rows, A actions; p = softmax of a row of logits.

/**
 * How undecided a policy is: −Σ p log p of one row, in nats, in [0, ln A]. An action whose logit is −∞ adds nothing.
 * @param logits shape [R A]
 */
export function actionEntropy(logits: Float32Array, row: number, actionCount: number): number {
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
export function totalVariation(logits: Float32Array, others: Float32Array, row: number, actionCount: number): number {
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
