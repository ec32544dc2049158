// Letters: T steps, B environments, D driven seats of a group, R = B·D rows, I input features of the policy.

/** How an episode went on after a step. Truncation keeps the bootstrap, termination cuts it. */
export const STEP_CONTINUES = 0;
export const STEP_TRUNCATED = 1;
export const STEP_TERMINATED = 2;

/** One block of experience of one group of seats. Row r belongs to environment ⌊r / D⌋. */
export interface Rollout {
  readonly group: number;
  readonly stepCount: number;
  readonly rowCount: number;
  readonly inputSize: number;
  /** Shape [T R I]. */
  readonly inputs: Float32Array;
  /** Shape [T R]: index of the chosen action. */
  readonly actions: Int32Array;
  /** Shape [T R]: log probability of the chosen action when it was chosen. */
  readonly logProbabilities: Float32Array;
  /** Shape [T R], in units of return. */
  readonly values: Float32Array;
  /** Shape [T R]: value of what followed the step, before any reset; meaningless after a termination. */
  readonly nextValues: Float32Array;
  /** Shape [T R]. */
  readonly rewards: Float32Array;
  /** Shape [T R]: one of the three constants above. */
  readonly ends: Uint8Array;
  /** Shape [T R]: 1 where a learner acted, 0 where the row is a partner or a scripted seat and must not be learnt from. */
  readonly learning: Uint8Array;
}

/** A rollout of zeros. */
export function createRollout(group: number, stepCount: number, rowCount: number, inputSize: number): Rollout {
  const size = stepCount * rowCount;
  return {
    group,
    stepCount,
    rowCount,
    inputSize,
    inputs: new Float32Array(size * inputSize),
    actions: new Int32Array(size),
    logProbabilities: new Float32Array(size),
    values: new Float32Array(size),
    nextValues: new Float32Array(size),
    rewards: new Float32Array(size),
    ends: new Uint8Array(size),
    learning: new Uint8Array(size),
  };
}
