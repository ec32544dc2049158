import type { NamedArrays } from '../../executor.ts';
import type { Rollout } from '../../rollout/rollout-buffer.ts';
import type { UpdateProblem } from './graphs.ts';

// Letters: T steps of a block, R rows of a step, D seats of the group, L steps of a sequence, M samples of a minibatch,
// Q sequences of a grain.

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
 * Which samples an optimizer step is made of. Grain follows grain, and within a grain step follows step: row l·Q + q of it
 * is step l of its sequence q. What is missing, of a sequence, of the minibatch or because it is not a learner's, is
 * another sample at weight 0: 0 times whatever stands in a row that nobody learns from may be NaN.
 */
export class Minibatch {
  /** Most sequences. */
  readonly sequenceCount: number;
  /** By the names of the graph's inputs. */
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
    // Whole grains, because in a grain that were cut short steps would have other distances.
    const rowCount = Math.ceil(minibatchRows / grainRows) * grainRows;
    this.sequenceSteps = block.sequenceSteps;
    this.sequenceCount = minibatchRows / block.sequenceSteps;
    this.grainSequences = grainRows / block.sequenceSteps;
    this.rows = new Int32Array(rowCount);
    this.weights = new Float32Array(rowCount);
    this.jointRows = new Int32Array(network.jointSize > 0 ? rowCount : 0);
    this.sequences = new Int32Array(network.memorySize > 0 ? rowCount / block.sequenceSteps : 0);
    this.inputs = {
      rows: this.rows,
      weights: this.weights,
      ...(network.jointSize > 0 && { joint_rows: this.jointRows }),
      ...(network.memorySize > 0 && { sequences: this.sequences }),
    };
  }

  /** @param chosen indices of sequences in which learners acted, at least one and at most `sequenceCount` */
  fill(chosen: Int32Array, rollout: Rollout): void {
    const { rows, weights, jointRows, sequences } = this;
    const seatCount = rollout.seats.length;
    const substitute = this.firstSample(chosen[0]!, rollout);
    rows.fill(substitute);
    weights.fill(0);
    if (this.sequenceSteps === 1) {
      rows.set(chosen);
      weights.fill(1 / chosen.length, 0, chosen.length);
    } else this.fillSequences(chosen, rollout);
    if (sequences.length > 0) sequences.fill(chosen[0]!).set(chosen);
    for (let at = 0; at < jointRows.length; at += 1) jointRows[at] = Math.floor(rows[at]! / seatCount);
  }

  private fillSequences(chosen: Int32Array, { stepCount, rowCount, learning }: Rollout): void {
    const { sequenceSteps, grainSequences, rows, weights } = this;
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
