import * as ort from 'onnxruntime-node';
import type { Actor, ActorMemory } from '../../learning/algorithms/contract.ts';
import type { PolicySignature } from './policy-signature.ts';

// Letters: R rows, I input features, O outputs, A discrete actions, D numbers of a box, H numbers of a memory.

type Tensors = Record<string, ort.Tensor>;

/** A policy out of an ONNX file at work on R rows. Its session belongs to the model, which other actors share. */
export class PolicyActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks: Uint8Array | null;
  readonly joint = null;
  readonly memory: ActorMemory | null;
  readonly logits: Float32Array;
  readonly values = null;
  private readonly session: ort.InferenceSession;
  /** Shape [R A]: the masks as the model takes them. */
  private readonly legal: Float32Array | null;
  /** Shape [R D] each, of which `logits` is put together; null for discrete actions. */
  private readonly gaussian: { readonly mean: Float32Array; readonly logDeviation: Float32Array } | null;
  /** One where all rows are run at once. */
  private readonly runs: readonly { readonly feeds: Tensors; readonly fetches: Tensors }[];

  constructor(session: ort.InferenceSession, signature: PolicySignature, rowCount: number) {
    const { inputSize, outputSize, actionKind, isMasked, memorySize, rowsAtOnce } = signature;
    const floats = (width: number): Float32Array => new Float32Array(rowCount * width);
    this.session = session;
    this.rowCount = rowCount;
    this.inputs = floats(inputSize);
    this.logits = floats(outputSize);
    this.masks = isMasked ? new Uint8Array(rowCount * outputSize) : null;
    this.legal = isMasked ? floats(outputSize) : null;
    this.memory = memorySize > 0 ? { size: memorySize, now: floats(memorySize), next: floats(memorySize) } : null;
    this.gaussian =
      actionKind === 'box' ? { mean: floats(outputSize / 2), logDeviation: floats(outputSize / 2) } : null;
    const rows = Math.min(rowsAtOnce, rowCount);
    this.runs = Array.from({ length: rowCount / rows }, (_, index) => this.tensorsOf(index, rows));
  }

  async forward(): Promise<void> {
    const { session, masks, logits } = this;
    if (masks !== null) this.legal!.set(masks);
    for (const { feeds, fetches } of this.runs) await session.run(feeds, fetches);
    if (this.gaussian !== null) this.joinGaussian(this.gaussian);
    masks?.forEach((mask, index) => {
      if (mask === 0) logits[index] = -Infinity;
    });
  }

  async release(): Promise<void> {
    await Promise.resolve();
  }

  /** The arrays' parts for one run, by the names of the model. */
  private tensorsOf(index: number, rows: number): { feeds: Tensors; fetches: Tensors } {
    const { inputs, legal, memory, logits, gaussian, rowCount } = this;
    const parts = (arrays: Readonly<Record<string, Float32Array | null | undefined>>): Tensors =>
      Object.fromEntries(
        Object.entries(arrays).flatMap(([name, array]) => {
          if (!array) return [];
          const width = array.length / rowCount;
          const part = array.subarray(index * rows * width, (index + 1) * rows * width);
          return [[name, new ort.Tensor('float32', part, [rows, width])]];
        }),
      );
    const outputs = gaussian === null ? { logits } : { mean: gaussian.mean, log_std: gaussian.logDeviation };
    return {
      feeds: parts({ observations: inputs, action_mask: legal, memory: memory?.now }),
      fetches: parts({ ...outputs, memory_next: memory?.next }),
    };
  }

  private joinGaussian({ mean, logDeviation }: NonNullable<typeof this.gaussian>): void {
    const size = mean.length / this.rowCount;
    for (let row = 0; row < this.rowCount; row += 1) {
      this.logits.set(mean.subarray(row * size, (row + 1) * size), 2 * row * size);
      this.logits.set(logDeviation.subarray(row * size, (row + 1) * size), (2 * row + 1) * size);
    }
  }
}
