// Letters: B environments, J numbers of a joint action, T steps.

/** Joint actions of the running episode of each of B environments, because no other state of theirs can be told. */
export class ActionHistory {
  private readonly jointSize: number;
  /** By environment, shape [T J] of what it has room for. */
  private readonly taken: Float32Array[];
  /** Shape [B]: T */
  private readonly lengths: Int32Array;

  constructor(environmentCount: number, jointSize: number) {
    this.jointSize = jointSize;
    this.taken = Array.from({ length: environmentCount }, () => new Float32Array(jointSize * FIRST_STEPS));
    this.lengths = new Int32Array(environmentCount);
  }

  clear(environment: number): void {
    this.lengths[environment] = 0;
  }

  /** @param from the joint action begins at `at`; whole numbers of a discrete one are kept exactly */
  add(environment: number, from: ArrayLike<number>, at: number): void {
    const { jointSize, lengths } = this;
    const first = lengths[environment]! * jointSize;
    const taken = this.roomFor(environment, first + jointSize);
    for (let index = 0; index < jointSize; index += 1) taken[first + index] = from[at + index]!;
    lengths[environment]! += 1;
  }

  /** Shape [T][J]. */
  of(environment: number): number[][] {
    const { jointSize, lengths, taken } = this;
    return Array.from({ length: lengths[environment]! }, (_, step) => [
      ...taken[environment]!.subarray(step * jointSize, (step + 1) * jointSize),
    ]);
  }

  private roomFor(environment: number, count: number): Float32Array {
    const taken = this.taken[environment]!;
    if (count <= taken.length) return taken;
    const larger = new Float32Array(2 * taken.length);
    larger.set(taken);
    this.taken[environment] = larger;
    return larger;
  }
}

const FIRST_STEPS = 32;
