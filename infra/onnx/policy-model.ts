import './no-telemetry.ts';
import * as ort from 'onnxruntime-node';
import type { Actor } from '../../learning/algorithms/contract.ts';
import type { PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { ThawError } from '../../schemas/errors.ts';

/** A policy out of an ONNX file, with what has to be given back at the end. */
export interface LoadedPolicy extends PolicyModel {
  release(): Promise<void>;
}

/**
 * Loads a policy as runs export it, and as other programs may: `observations` [rows, I] → `logits` [rows, A]. A model
 * whose rows are fixed at 1 is run row by row.
 * @param name what errors call it
 * @throws REQUEST_BAD_ARGUMENT when it is no such model
 */
export async function loadPolicy(bytes: Uint8Array, name: string): Promise<LoadedPolicy> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const;
  const session = await ort.InferenceSession.create(bytes, options).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${name} is no ONNX model: ${(error as Error).message}`);
  });
  const input = shapeOf(session.inputMetadata, 'observations', name);
  const output = shapeOf(session.outputMetadata, 'logits', name);
  const rowsAtOnce = typeof input.rows === 'number' ? input.rows : Infinity;
  return {
    inputSize: input.width,
    outputSize: output.width,
    isMasked: false,
    memorySize: 0,
    createActor: async (rowCount) => new SessionActor(session, input.width, output.width, rowCount, rowsAtOnce),
    release: () => session.release(),
  };
}

class SessionActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks = null;
  readonly joint = null;
  readonly memory = null;
  readonly logits: Float32Array;
  readonly values = null;
  private readonly session: ort.InferenceSession;
  private readonly runs: readonly { readonly inputs: ort.Tensor; readonly logits: ort.Tensor }[];

  constructor(
    session: ort.InferenceSession,
    inputSize: number,
    actionCount: number,
    rowCount: number,
    rowsAtOnce: number,
  ) {
    this.session = session;
    this.rowCount = rowCount;
    this.inputs = new Float32Array(rowCount * inputSize);
    this.logits = new Float32Array(rowCount * actionCount);
    const rows = Math.min(rowsAtOnce, rowCount);
    this.runs = Array.from({ length: rowCount / rows }, (_, index) => {
      const part = (array: Float32Array, width: number): ort.Tensor =>
        new ort.Tensor('float32', array.subarray(index * rows * width, (index + 1) * rows * width), [rows, width]);
      return { inputs: part(this.inputs, inputSize), logits: part(this.logits, actionCount) };
    });
  }

  async forward(): Promise<void> {
    for (const { inputs, logits } of this.runs) await this.session.run({ observations: inputs }, { logits });
  }

  /** The session belongs to the model, which other actors share. */
  async release(): Promise<void> {
    await Promise.resolve();
  }
}

interface ValueMetadata {
  readonly name: string;
  readonly shape?: readonly (number | string)[];
}

function shapeOf(
  metadata: readonly unknown[],
  value: string,
  name: string,
): { readonly rows: number | string | undefined; readonly width: number } {
  const found = (metadata as readonly ValueMetadata[]).find((each) => each.name === value);
  const [rows, width] = found?.shape ?? [];
  // Rows fixed at more than 1 would have to be padded; nobody exports policies so.
  if (typeof width === 'number' && (typeof rows !== 'number' || rows === 1)) return { rows, width };
  throw new ThawError('REQUEST_BAD_ARGUMENT', `${name} has no "${value}" of the shape [rows, width].`, {
    remedy: 'A policy is an ONNX model from `observations` [rows, features] to `logits` [rows, actions].',
  });
}
