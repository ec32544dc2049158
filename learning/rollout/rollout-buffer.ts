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

/** A rollout of zeros. @param memory what its arrays lie in: shared memory where other threads write into it, too */
export function createRollout(
  group: number,
  stepCount: number,
  rowCount: number,
  inputSize: number,
  memory: typeof ArrayBuffer | typeof SharedArrayBuffer = ArrayBuffer,
): Rollout {
  const size = stepCount * rowCount;
  const bytes = (valueCount: number, valueBytes: number): ArrayBufferLike => new memory(valueCount * valueBytes);
  const floats = (): Float32Array => new Float32Array(bytes(size, Float32Array.BYTES_PER_ELEMENT));
  return {
    group,
    stepCount,
    rowCount,
    inputSize,
    inputs: new Float32Array(bytes(size * inputSize, Float32Array.BYTES_PER_ELEMENT)),
    actions: new Int32Array(bytes(size, Int32Array.BYTES_PER_ELEMENT)),
    logProbabilities: floats(),
    values: floats(),
    nextValues: floats(),
    rewards: floats(),
    ends: new Uint8Array(bytes(size, 1)),
    learning: new Uint8Array(bytes(size, 1)),
  };
}

/** Where an episode went on, the value of the next step is already in the rollout. */
export function linkValues({ rowCount, ends, nextValues, values }: Rollout): void {
  for (let index = 0; index < ends.length - rowCount; index += 1) {
    if (ends[index] === STEP_CONTINUES) nextValues[index] = values[index + rowCount]!;
  }
}
