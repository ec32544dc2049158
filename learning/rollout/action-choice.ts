// Letters: R rows, A actions.

/**
 * softmax(logits) of one row at a time. An action whose logit is −∞ is never drawn. Drawing an action and its probability
 * share the exponentials: they were a fiftieth of training.
 */
export class Categorical {
  /** Shape [A]: e^(logit − the largest). */
  private readonly shares: Float64Array;
  private total = 0;
  /** What was read last. */
  private logits: Float32Array = new Float32Array(0);
  private offset = 0;
  private largest = -Infinity;

  constructor(actionCount: number) {
    this.shares = new Float64Array(actionCount);
  }

  /** Takes a row in. @param logits shape [R A] */
  read(logits: Float32Array, row: number): void {
    const { shares } = this;
    const offset = row * shares.length;
    let largest = -Infinity;
    for (let action = 0; action < shares.length; action += 1) largest = Math.max(largest, logits[offset + action]!);
    let total = 0;
    for (let action = 0; action < shares.length; action += 1) {
      const share = Math.exp(logits[offset + action]! - largest);
      shares[action] = share;
      total += share;
    }
    this.total = total;
    this.logits = logits;
    this.offset = offset;
    this.largest = largest;
  }

  /**
   * @param uniform in [0, 1): the same number gives the same action
   * @returns index of the action, 0 … A−1
   */
  draw(uniform: number): number {
    const { shares } = this;
    let threshold = uniform * this.total;
    let possible = 0;
    for (let action = 0; action < shares.length; action += 1) {
      if (shares[action] === 0) continue;
      possible = action;
      threshold -= shares[action]!;
      if (threshold < 0) return action;
    }
    // Rounding may leave a rest, which must not fall to an action that is impossible.
    return possible;
  }

  /** Of an action of the row, in nats; from the logits, which must be as they were read. */
  logProbability(action: number): number {
    return this.logits[this.offset + action]! - this.largest - Math.log(this.total);
  }
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
