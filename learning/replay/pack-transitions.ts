import type { Experienced } from '../algorithms/contract.ts';
import { type Rollout, STEP_CONTINUES, STEP_TERMINATED } from '../rollout/rollout-buffer.ts';
import type { Column, GroupColumns, TransitionLayout } from './transition-layout.ts';

// Letters: T steps of a block, B environments, D driven seats of a group, G learning seats of it, K numbers of a
// transition, n steps that a transition spans at most.

export interface SpanOptions {
  /** n */
  readonly steps: number;
  readonly gamma: number;
}

/**
 * The transitions of a block, ordered by step, then environment; those that nobody learns from are left out. A
 * transition that begins at step t goes on to the first of: n steps, the end of its episode, the end of the block:
 *
 *     rewards Σ_{i<k} γⁱ r_{t+i},   discount γᵏ, or 0 where the episode was terminated,   what followed step t + k − 1
 *
 * @returns shape [count K]
 * @source Sutton and Barto: Reinforcement Learning, 2nd edition, eq. 7.1
 */
export function packTransitions({ rollouts }: Experienced, layout: TransitionLayout, span: SpanOptions): Float32Array {
  const present = rollouts.filter(({ group }) => layout.groups.some((columns) => columns.group === group));
  const [first] = present;
  if (first === undefined) return new Float32Array(0);
  const environmentCount = first.rowCount / first.seats.length;
  const packed = new Float32Array(first.stepCount * environmentCount * layout.width);
  let count = 0;
  for (let step = 0; step < first.stepCount; step += 1) {
    for (let environment = 0; environment < environmentCount; environment += 1) {
      if (!present.some((rollout) => isLearning(rollout, step, environment))) continue;
      const row = packed.subarray(count * layout.width, (count + 1) * layout.width);
      packTransition(row, present, layout, { ...span, step, environment });
      count += 1;
    }
  }
  return count * layout.width === packed.length ? packed : packed.slice(0, count * layout.width);
}

interface Place extends SpanOptions {
  readonly step: number;
  readonly environment: number;
}

/** @param row shape [K], zeros, written */
function packTransition(row: Float32Array, rollouts: readonly Rollout[], layout: TransitionLayout, place: Place): void {
  const last = lastStep(rollouts[0]!, place);
  for (const columns of layout.groups) {
    for (const masks of [columns.masks, columns.nextMasks]) {
      if (masks !== null) row.fill(1, masks.offset, masks.offset + masks.length);
    }
    const rollout = rollouts.find(({ group }) => group === columns.group);
    if (rollout !== undefined) packGroup(row, rollout, columns, { ...place, last });
  }
  const { joint, next, seats, rowCount } = rollouts[0]!;
  const environmentCount = rowCount / seats.length;
  const entryOf = (step: number): number => step * environmentCount + place.environment;
  if (layout.joint !== null) copyEntry(row, layout.joint, joint!, entryOf(place.step));
  if (layout.nextJoint !== null && !last.isTerminated) {
    copyEntry(row, layout.nextJoint, next!.joint!, entryOf(last.step));
  }
  row[layout.discount.offset] = last.isTerminated ? 0 : place.gamma ** (last.step - place.step + 1);
}

interface LastStep {
  readonly step: number;
  readonly isTerminated: boolean;
}

function lastStep({ ends, rowCount, seats, stepCount }: Rollout, { step, environment, steps }: Place): LastStep {
  const endOf = (at: number): number => ends[at * rowCount + environment * seats.length]!;
  let last = step;
  while (last < step + steps - 1 && last < stepCount - 1 && endOf(last) === STEP_CONTINUES) last += 1;
  return { step: last, isTerminated: endOf(last) === STEP_TERMINATED };
}

function packGroup(
  row: Float32Array,
  rollout: Rollout,
  columns: GroupColumns,
  { step, environment, gamma, last }: Place & { readonly last: LastStep },
): void {
  columns.seats.forEach((seat, place) => {
    const driven = rollout.seats.indexOf(seat);
    const rowOf = (at: number): number => at * rollout.rowCount + environment * rollout.seats.length + driven;
    const [now, then] = [rowOf(step), rowOf(last.step)];
    if (driven < 0 || rollout.learning[now] === 0) return;
    const seatOf = ({ offset, length }: Column): Column => {
      const size = length / columns.seats.length;
      return { offset: offset + place * size, length: size };
    };
    copyEntry(row, seatOf(columns.inputs), rollout.inputs, now);
    copyEntry(row, seatOf(columns.actions), rollout.actions, now);
    row[columns.learning.offset + place] = 1;
    let reward = 0;
    for (let at = last.step; at >= step; at -= 1) reward = rollout.rewards[rowOf(at)]! + gamma * reward;
    row[columns.rewards.offset + place] = reward;
    if (columns.masks !== null) copyEntry(row, seatOf(columns.masks), rollout.masks!, now);
    // What follows a termination has no meaning and no weight; 0 is what cannot do harm.
    if (last.isTerminated) return;
    copyEntry(row, seatOf(columns.nextInputs), rollout.next!.inputs, then);
    if (columns.nextMasks !== null) copyEntry(row, seatOf(columns.nextMasks), rollout.next!.masks!, then);
  });
}

/** Copies one entry of an array of entries as long as the column. */
function copyEntry(row: Float32Array, { offset, length }: Column, from: ArrayLike<number>, entry: number): void {
  for (let index = 0; index < length; index += 1) row[offset + index] = from[entry * length + index]!;
}

function isLearning({ learning, rowCount, seats }: Rollout, step: number, environment: number): boolean {
  const first = step * rowCount + environment * seats.length;
  return seats.some((_, index) => learning[first + index] === 1);
}
