import type { NamedArrays } from '../../executor.ts';
import type { Rollout } from '../../rollout/rollout-buffer.ts';
import type { UpdateProblem } from './graphs.ts';

// Letters: N minibatches of an epoch, T steps of a block, R rows of a step, D seats of the group, L steps of a
// sequence, M samples of a minibatch, Q sequences of a grain.

/**
 * Sequences in which a learner acted. Sequence c·R + r is that of row r from step c·L on; without a memory L is 1, and a
 * sequence a sample.
 */
export function learningSequences({ stepCount, rowCount, learning }: Rollout, sequenceSteps: number): Int32Array {
  const sequences = new Int32Array(Math.ceil(stepCount / sequenceSteps) * rowCount);
  let count = 0;
  for (let sequence = 0; sequence < sequences.length; sequence += 1) {
    const row = sequence % rowCount;
    const first = ((sequence - row) / rowCount) * sequenceSteps;
    const end = Math.min(first + sequenceSteps, stepCount);
    let step = first;
    while (step < end && learning[step * rowCount + row] === 0) step += 1;
    if (step < end) sequences[count++] = sequence;
  }
  return sequences.subarray(0, count);
}

/**
 * Which samples the optimizer steps of an epoch are made of. Within a minibatch grain follows grain, and within a grain step
 * follows step: row l·Q + q of it is step l of its sequence q. What is missing, of a sequence, of the minibatch or because it
 * is not a learner's, is another sample at weight 0: 0 times whatever stands in a row that nobody learns from may be NaN.
 */
export class Minibatches {
  /** Most sequences of a minibatch. */
  readonly sequenceCount: number;
  /** Most minibatches of an epoch, N. */
  readonly countMax: number;
  /** By the names of the graph's inputs; shape [N M], of sequences [N, M/L]. */
  readonly inputs: NamedArrays;
  private readonly sequenceSteps: number;
  /** Q */
  private readonly grainSequences: number;
  private readonly rows: Int32Array;
  private readonly weights: Float32Array;
  private readonly jointRows: Int32Array;
  private readonly sequences: Int32Array;

  constructor(
    { network, block }: Pick<UpdateProblem, 'network' | 'block'>,
    { minibatchRows, grainRows }: { readonly minibatchRows: number; readonly grainRows: number },
  ) {
    const { sequenceSteps } = block;
    // Whole grains, because in a grain that were cut short steps would have other distances.
    const rowCount = Math.ceil(minibatchRows / grainRows) * grainRows;
    this.sequenceSteps = sequenceSteps;
    this.sequenceCount = minibatchRows / sequenceSteps;
    this.countMax = Math.ceil(block.sequenceCount / this.sequenceCount);
    this.grainSequences = grainRows / sequenceSteps;
    const all = this.countMax * rowCount;
    this.rows = new Int32Array(all);
    this.weights = new Float32Array(all);
    this.jointRows = new Int32Array(network.jointSize > 0 ? all : 0);
    this.sequences = new Int32Array(network.memorySize > 0 ? all / sequenceSteps : 0);
    this.inputs = {
      rows: this.rows,
      weights: this.weights,
      ...(network.jointSize > 0 && { joint_rows: this.jointRows }),
      ...(network.memorySize > 0 && { sequences: this.sequences }),
    };
  }

  /** Divides sequences into as few minibatches as they take, of nearly equal size. @returns how many these are */
  fill(order: Int32Array, rollout: Rollout): number {
    const count = Math.ceil(order.length / this.sequenceCount);
    const share = (part: number): number => Math.floor((order.length * part) / count);
    for (let place = 0; place < count; place += 1)
      this.fillOne(place, order.subarray(share(place), share(place + 1)), rollout);
    return count;
  }

  /** @param chosen indices of sequences in which learners acted, at least one and at most `sequenceCount` */
  private fillOne(place: number, chosen: Int32Array, rollout: Rollout): void {
    const { sequenceSteps } = this;
    const part = <Numbers extends Int32Array | Float32Array>(all: Numbers): Numbers => {
      const size = all.length / this.countMax;
      return all.subarray(place * size, (place + 1) * size) as Numbers;
    };
    const [rows, weights] = [part(this.rows), part(this.weights)];
    rows.fill(this.firstSample(chosen[0]!, rollout));
    weights.fill(0);
    if (sequenceSteps === 1) {
      rows.set(chosen);
      weights.fill(1 / chosen.length, 0, chosen.length);
    } else this.fillSequences(chosen, rollout, rows, weights);
    if (this.sequences.length > 0) part(this.sequences).fill(chosen[0]!).set(chosen);
    const jointRows = part(this.jointRows);
    const seatCount = rollout.seats.length;
    for (let at = 0; at < jointRows.length; at += 1) jointRows[at] = Math.floor(rows[at]! / seatCount);
  }

  private fillSequences(
    chosen: Int32Array,
    { stepCount, rowCount, learning }: Rollout,
    rows: Int32Array,
    weights: Float32Array,
  ): void {
    const { sequenceSteps, grainSequences } = this;
    const grainRows = sequenceSteps * grainSequences;
    let count = 0;
    chosen.forEach((sequence, place) => {
      const row = sequence % rowCount;
      const first = ((sequence - row) / rowCount) * sequenceSteps;
      const column = place % grainSequences;
      const start = ((place - column) / grainSequences) * grainRows + column;
      for (let step = 0; step < Math.min(sequenceSteps, stepCount - first); step += 1) {
        const sample = (first + step) * rowCount + row;
        if (learning[sample] === 0) continue;
        rows[start + step * grainSequences] = sample;
        weights[start + step * grainSequences] = 1;
        count += 1;
      }
    });
    for (let at = 0; at < weights.length; at += 1) weights[at]! /= count;
  }

  /** The first sample of a learner in a sequence. */
  private firstSample(sequence: number, { rowCount, learning }: Rollout): number {
    const row = sequence % rowCount;
    let sample = ((sequence - row) / rowCount) * this.sequenceSteps * rowCount + row;
    while (learning[sample] === 0) sample += rowCount;
    return sample;
  }
}
