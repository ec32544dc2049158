// Letters: R rows, A actions.

/** The largest value of each row. @param values shape [R A] @param largest shape [R], written */
export function fillLargest(values: Float32Array, largest: Float32Array): void {
  const actionCount = values.length / largest.length;
  largest.fill(-Infinity);
  values.forEach((value, index) => {
    const row = Math.floor(index / actionCount);
    largest[row] = Math.max(largest[row]!, value);
  });
}

/**
 * Rewrites what actions are worth into how they are drawn: with probability 1 − ε the one that is worth most (of equals
 * the first), else one of the n legal ones, all alike:
 *
 *     log(ε/n + (1 − ε)·[a is best]),   −∞ where the value is
 *
 * @param values shape [R A], −∞ where an action is illegal; rewritten
 */
export function greedyLogProbabilities(values: Float32Array, actionCount: number, epsilon: number): void {
  for (let start = 0; start < values.length; start += actionCount) {
    let best = start;
    let legalCount = 0;
    for (let at = start; at < start + actionCount; at += 1) {
      if (values[at] === -Infinity) continue;
      legalCount += 1;
      if (values[at]! > values[best]!) best = at;
    }
    const share = epsilon / legalCount;
    for (let at = start; at < start + actionCount; at += 1) {
      if (values[at] !== -Infinity) values[at] = Math.log(at === best ? 1 - epsilon + share : share);
    }
  }
}
