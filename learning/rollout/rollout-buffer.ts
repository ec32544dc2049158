import type { ActionArray, ActionSpace } from '../../simulators/contract.ts';
import { actionHead } from './action-head.ts';

// Letters: T steps, B environments, D driven seats of a group, R = B·D rows, I input features of the policy, O its
// outputs, W numbers of an action, C numbers that all seats see together, H numbers of the policy's memory.

/** How an episode went on after a step. Truncation keeps the bootstrap, termination cuts it. */
export const STEP_CONTINUES = 0;
export const STEP_TRUNCATED = 1;
export const STEP_TERMINATED = 2;

/** One block of experience of one group of seats. Row r belongs to environment ⌊r / D⌋ and to seat `seats[r mod D]`. */
export interface Rollout {
  readonly group: number;
  /** Shape [D], ascending. */
  readonly seats: readonly number[];
  readonly stepCount: number;
  readonly rowCount: number;
  readonly inputSize: number;
  /** Shape [T R I]. */
  readonly inputs: Float32Array;
  /** Shape [T R W]: the action as it was drawn, see `actionHead`. */
  readonly actions: ActionArray;
  /** Shape [T R]: log probability (density) of the action when it was drawn. */
  readonly logProbabilities: Float32Array;
  /** Shape [T R], in units of return; 0 where nobody asked for values. */
  readonly values: Float32Array;
  /** Shape [T R]: value of what followed the step, before any reset; meaningless after a termination. */
  readonly nextValues: Float32Array;
  /** Shape [T R]. */
  readonly rewards: Float32Array;
  /** Shape [T R]: one of the three constants above. */
  readonly ends: Uint8Array;
  /** Shape [T R]: 1 where a learner acted, 0 where the row is a partner or a scripted seat and must not be learnt from. */
  readonly learning: Uint8Array;
  /** Shape [T R O]: 1 where an action was legal; null where all always are. */
  readonly masks: Uint8Array | null;
  /** Shape [T R H]: what the policy remembered before the step; null for a policy without memory. */
  readonly memory: Float32Array | null;
  /** What the policy would have been given after the step, before any reset; null unless the learner asks for it. */
  readonly next: NextInputs | null;
  /** Shape [T B C]: what all seats saw; null unless the learner asks for it. */
  readonly joint: Float32Array | null;
}

/** What followed each step. Meaningless after a termination. */
export interface NextInputs {
  /** Shape [T R I]. */
  readonly inputs: Float32Array;
  /** Shape [T R O]; null where `Rollout.masks` is. */
  readonly masks: Uint8Array | null;
  /** Shape [T B C]; null where `Rollout.joint` is. */
  readonly joint: Float32Array | null;
}

type BufferKind = typeof ArrayBuffer | typeof SharedArrayBuffer;

export interface RolloutSize {
  readonly stepCount: number;
  readonly environmentCount: number;
  /** Driven seats of the group, ascending. */
  readonly seats: readonly number[];
  /** C */
  readonly jointSize: number;
  /** What its arrays lie in: shared memory where other threads write into it, too. */
  readonly memory?: BufferKind;
}

/** What a rollout must know of the policy that acts in it. */
export interface RolloutPolicy {
  readonly group: number;
  /** Features of one row. */
  readonly inputSize: number;
  /** How its output is read. */
  readonly actions: ActionSpace;
  /** Whether it is told which actions are legal. */
  readonly isMasked: boolean;
  /** H: numbers that it carries from step to step; 0 for none. */
  readonly memorySize: number;
}

/** What a learner wants recorded of a block beside what everybody gets. What is not asked for costs nothing. */
export interface ExperienceNeeds {
  /** `Rollout.values` and `nextValues`. */
  readonly values: boolean;
  /** `Rollout.nextInputs`, and what else an actor reads of what follows a step. */
  readonly nextInputs: boolean;
  /** `Rollout.joint`. */
  readonly joint: boolean;
}

export const PLAIN_NEEDS: ExperienceNeeds = { values: true, nextInputs: false, joint: false };

/** A rollout of zeros. */
export function createRollout(policy: RolloutPolicy, size: RolloutSize, needs: ExperienceNeeds = PLAIN_NEEDS): Rollout {
  const { stepCount, environmentCount, seats, jointSize, memory = ArrayBuffer } = size;
  const rowCount = environmentCount * seats.length;
  const { outputSize, actionSize } = actionHead(policy.actions);
  const floats = (count: number): Float32Array => new Float32Array(new memory(4 * count));
  const bytes = (count: number): Uint8Array => new Uint8Array(new memory(count));
  const rows = stepCount * rowCount;
  const masks = (): Uint8Array | null => (policy.isMasked ? bytes(rows * outputSize) : null);
  const joint = (): Float32Array | null => (needs.joint ? floats(stepCount * environmentCount * jointSize) : null);
  const inputs = (): Float32Array => floats(rows * policy.inputSize);
  return {
    group: policy.group,
    seats,
    stepCount,
    rowCount,
    inputSize: policy.inputSize,
    inputs: inputs(),
    actions: policy.actions.kind === 'discrete' ? new Int32Array(new memory(4 * rows)) : floats(rows * actionSize),
    logProbabilities: floats(rows),
    values: floats(rows),
    nextValues: floats(rows),
    rewards: floats(rows),
    ends: bytes(rows),
    learning: bytes(rows),
    masks: masks(),
    memory: policy.memorySize > 0 ? floats(rows * policy.memorySize) : null,
    next: needs.nextInputs ? { inputs: inputs(), masks: masks(), joint: joint() } : null,
    joint: joint(),
  };
}

/** Where an episode went on, what followed a step is what the next step of the rollout begins with. */
export function linkSteps(rollout: Rollout): void {
  const { rowCount, seats, ends, nextValues, values, inputs, masks, joint, next } = rollout;
  const links: [from: Float32Array | Uint8Array, to: Float32Array | Uint8Array, isOfRows: boolean][] = [
    [values, nextValues, true],
  ];
  if (next !== null) {
    links.push([inputs, next.inputs, true]);
    if (masks !== null) links.push([masks, next.masks!, true]);
    if (joint !== null) links.push([joint, next.joint!, false]);
  }
  for (const [from, to, isOfRows] of links) {
    const rowsOfEntry = isOfRows ? 1 : seats.length;
    linkEntries(from, to, { ends, rowCount, rowsOfEntry });
  }
}

/** @param options.rowsOfEntry rows that share an entry of the arrays */
function linkEntries(
  from: Float32Array | Uint8Array,
  to: Float32Array | Uint8Array,
  { ends, rowCount, rowsOfEntry }: { ends: Uint8Array; rowCount: number; rowsOfEntry: number },
): void {
  const entryCount = ends.length / rowsOfEntry;
  const size = from.length / entryCount;
  const entriesOfStep = rowCount / rowsOfEntry;
  for (let entry = 0; entry < entryCount - entriesOfStep; entry += 1) {
    if (ends[entry * rowsOfEntry] !== STEP_CONTINUES) continue;
    const source = (entry + entriesOfStep) * size;
    if (size === 1) to[entry] = from[source]!;
    else to.set(from.subarray(source, source + size), entry * size);
  }
}
