import type { NamedArrays } from '../../executor.ts';
import type { ValueScale } from '../../normalization/popart.ts';
import { type Rollout, STEP_CONTINUES } from '../../rollout/rollout-buffer.ts';
import type { UpdateProblem } from './graphs.ts';
import type { Targets } from './targets.ts';

// Letters: S samples of a block, R rows of a step, I input features, J joint observations, C numbers of one, Q sequences of
// the block, L steps of one, H numbers of a memory, K columns of packed samples.

/** One block of experience as the update reads it, refilled block by block. */
export class SampleBlock {
  /** By the names of graphs' inputs: inputs [S I], samples [S K], and where there are such joint [J C], actions [S], memory [Q 2H]. */
  readonly arrays: NamedArrays;
  /** Shape [S]: room for the advantages of a block. */
  readonly advantages: Float32Array;
  private readonly problem: UpdateProblem;
  private readonly inputs: Float32Array;
  private readonly samples: Float32Array;
  private readonly actions: Int32Array;
  private readonly joint: Float32Array;
  private readonly memory: Float32Array;

  constructor(problem: UpdateProblem) {
    const { network, columns, block } = problem;
    const { policy, jointSize, memorySize } = network;
    this.problem = problem;
    this.advantages = new Float32Array(block.sampleCount);
    this.inputs = new Float32Array(block.sampleCount * policy.inputSize);
    this.samples = new Float32Array(block.sampleCount * columns.count);
    this.actions = new Int32Array(policy.actions.kind === 'discrete' ? block.sampleCount : 0);
    this.joint = new Float32Array(block.jointCount * jointSize);
    this.memory = new Float32Array(block.sequenceCount * 2 * memorySize);
    const { inputs, samples, actions, joint, memory } = this;
    this.arrays = { inputs, samples, actions, joint, memory };
  }

  /** @param scale how the critic's outputs are read */
  fill(rollout: Rollout, targets: Targets, scale: ValueScale): void {
    this.inputs.set(rollout.inputs);
    if (this.actions.length > 0) this.actions.set(rollout.actions);
    if (this.joint.length > 0) this.joint.set(rollout.joint!);
    if (this.memory.length > 0) this.fillMemory(rollout);
    this.fillSamples(rollout, targets, scale);
  }

  private fillSamples(rollout: Rollout, targets: Targets, { mean, std }: ValueScale): void {
    const { columns, network } = this.problem;
    const { advantage, valueTarget, logProbability, oldValue, keep, mask, action } = columns;
    const { samples } = this;
    const isBox = network.policy.actions.kind === 'box';
    // A plain loop over locals: as a callback of `forEach` it took a fiftieth of training.
    for (let index = 0; index < targets.rows.length; index += 1) {
      const row = targets.rows[index]!;
      const offset = row * columns.count;
      samples[offset + advantage!.start] = targets.advantages[index]!;
      samples[offset + valueTarget!.start] = (targets.values[index]! - mean) / std;
      samples[offset + logProbability!.start] = rollout.logProbabilities[row]!;
      if (oldValue !== null) samples[offset + oldValue.start] = (targets.oldValues[row]! - mean) / std;
      if (keep !== null) samples[offset + keep.start] = beginsEpisode(rollout, row) ? 0 : 1;
      if (mask !== null) copyEntry(rollout.masks!, row, samples, offset, mask);
      if (isBox) copyEntry(rollout.actions, row, samples, offset, action!);
    }
  }

  /** The memory before the first step of each sequence; 0 where the row was somebody else's, whose memory is no matter. */
  private fillMemory({ rowCount, learning, memory }: Rollout): void {
    const { sequenceSteps, sequenceCount } = this.problem.block;
    const size = this.memory.length / sequenceCount;
    this.memory.fill(0);
    for (let sequence = 0; sequence < sequenceCount; sequence += 1) {
      const row = sequence % rowCount;
      const sample = ((sequence - row) / rowCount) * sequenceSteps * rowCount + row;
      if (learning[sample] === 0) continue;
      this.memory.set(memory!.subarray(sample * size, (sample + 1) * size), sequence * size);
    }
  }
}

function beginsEpisode({ ends, rowCount }: Rollout, sample: number): boolean {
  return sample >= rowCount && ends[sample - rowCount] !== STEP_CONTINUES;
}

/** Copies an entry of an array [S n] into columns of a packed row. */
function copyEntry(
  source: ArrayLike<number>,
  entry: number,
  target: Float32Array,
  offset: number,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const size = end - start;
  for (let index = 0; index < size; index += 1) target[offset + start + index] = source[entry * size + index]!;
}
