import type * as ort from 'onnxruntime-node';
import type { PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { ThawError } from '../../schemas/errors.ts';

// Letters: I input features, A discrete actions, D numbers of a box, H numbers of a memory.

/** What a policy takes and gives for a row, and how many rows at once. */
export interface PolicySignature extends Omit<PolicyModel, 'createActor'> {
  /** 1, or Infinity where their number is open. */
  readonly rowsAtOnce: number;
}

const INPUTS = ['observations', 'action_mask', 'memory'];

const REMEDY =
  'A policy is an ONNX model from float32 `observations` [rows, I], and where it needs them `action_mask` [rows, A] and ' +
  '`memory` [rows, H], to `logits` [rows, A], or to `mean` and `log_std` [rows, D], and to `memory_next` [rows, H] where ' +
  'it has a memory; rows are open or 1.';

/**
 * Reads what a policy takes and gives off the model, see `exportedPolicyGraph`.
 * @param name what errors call it
 * @throws REQUEST_BAD_ARGUMENT with what was expected and what was found
 */
export function policySignature(session: ort.InferenceSession, name: string): PolicySignature {
  const inputs = new Ports('input', session.inputMetadata, name);
  const outputs = new Ports('output', session.outputMetadata, name);
  const unknown = inputs.names.find((each) => !INPUTS.includes(each));
  if (unknown !== undefined) throw inputs.error(unknown, `no other inputs than ${INPUTS.join(', ')}`);
  const observations = inputs.port('observations');
  const actionKind = outputs.has('logits') || !outputs.has('mean') ? 'discrete' : 'box';
  const width = outputs.port(actionKind === 'discrete' ? 'logits' : 'mean').width;
  if (actionKind === 'box') outputs.port('log_std', width, 'as many numbers as mean');
  if (inputs.has('action_mask')) inputs.port('action_mask', width, 'a number for each action');
  const memorySize = inputs.has('memory') ? inputs.port('memory').width : 0;
  if (memorySize > 0) outputs.port('memory_next', memorySize, 'as many numbers as memory');
  else if (outputs.has('memory_next')) throw outputs.error('memory_next', 'an input memory that it can go back into');
  const fixed = inputs.rows.filter((rows) => rows === 1).length;
  if (fixed > 0 && fixed < inputs.rows.length) throw inputs.error('observations', 'the same rows in all inputs');
  return {
    inputSize: observations.width,
    outputSize: actionKind === 'discrete' ? width : 2 * width,
    actionKind,
    isMasked: inputs.has('action_mask'),
    memorySize,
    rowsAtOnce: fixed > 0 ? 1 : Infinity,
  };
}

interface Port {
  /** A number where it is fixed. */
  readonly rows: number | string | undefined;
  readonly width: number;
}

/** The inputs or the outputs of a model. */
class Ports {
  readonly names: readonly string[];
  private readonly kind: string;
  private readonly metadata: readonly ort.InferenceSession.ValueMetadata[];
  private readonly model: string;

  constructor(kind: 'input' | 'output', metadata: readonly ort.InferenceSession.ValueMetadata[], model: string) {
    this.kind = kind;
    this.metadata = metadata;
    this.model = model;
    this.names = metadata.map(({ name }) => name);
  }

  get rows(): readonly Port['rows'][] {
    return this.metadata.map((each) => (each.isTensor ? each.shape[0] : undefined));
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** @param width that it must have, and why; any fixed one when absent */
  port(name: string, width?: number, why?: string): Port {
    const found = this.metadata.find((each) => each.name === name);
    const expected = width === undefined ? `float32 [rows, a fixed number]` : `float32 [rows, ${width}] (${why})`;
    if (found?.isTensor !== true || found.type !== 'float32' || found.shape.length !== 2) {
      throw this.error(name, expected);
    }
    const [rows, columns] = found.shape;
    // Rows fixed at more than 1 would have to be padded; nobody exports policies so.
    const fits = typeof columns === 'number' && columns > 0 && (width === undefined || columns === width);
    if (fits && (typeof rows !== 'number' || rows === 1)) return { rows, width: columns };
    throw this.error(name, expected);
  }

  error(name: string, expected: string): ThawError {
    const found = this.metadata.map(portText).join(', ');
    return new ThawError(
      'REQUEST_BAD_ARGUMENT',
      `${this.model}: ${this.kind} "${name}": expected ${expected}; its ${this.kind}s are ${found === '' ? 'none' : found}`,
      { remedy: REMEDY },
    );
  }
}

/** E.g. `observations float32 [rows, 18]`. */
function portText(port: ort.InferenceSession.ValueMetadata): string {
  return port.isTensor ? `${port.name} ${port.type} [${port.shape.join(', ')}]` : `${port.name}, which is no tensor`;
}
