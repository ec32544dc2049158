import * as ort from 'onnxruntime-node';
import type { Actor, ActorMemory } from '../../learning/algorithms/contract.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ActionSpace } from '../../simulators/contract.ts';
import { type ModelPort, openAxis, type RowLayout, rowLayout, shapeWithRows } from './model-port.ts';
import { createAnswer, type Elements, type PolicyAnswer } from './policy-answer.ts';
import type { PolicySignature } from './policy-signature.ts';

// Letters: R rows, I input features, O outputs, A discrete actions, D numbers of a box, H numbers of a memory.

type Tensors = Record<string, ort.Tensor>;
type Typed = Elements | Uint8Array;

/** One of the states that the memory is made of, all rows of it. */
interface State {
  readonly size: number;
  readonly now: Float32Array;
  readonly next: Float32Array;
  /** How rows lie in `now`, and how in `next`. */
  readonly layouts: { readonly now: RowLayout; readonly next: RowLayout };
}

export interface PolicyActorOptions {
  readonly signature: PolicySignature;
  readonly rowCount: number;
  /** Of the seats that it acts for. */
  readonly actions: ActionSpace;
  /** What errors call the policy. */
  readonly name: string;
}

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
  private readonly signature: PolicySignature;
  private readonly name: string;
  /** Shape [R A]: the masks as the model takes them; null where it takes none. */
  private readonly legal: Float32Array | Uint8Array | null;
  private readonly states: readonly State[];
  private readonly answer: PolicyAnswer;
  /** One where all rows are run at once. */
  private readonly runs: readonly { readonly feeds: Tensors; readonly fetches: Tensors }[];

  constructor(session: ort.InferenceSession, { signature, rowCount, actions, name }: PolicyActorOptions) {
    const { model, ports, trial, stateSizes } = signature;
    const { inputSize, memorySize } = model;
    const outputSize = actions.kind === 'discrete' ? actions.count : 2 * actions.low.length;
    const floats = (width: number): Float32Array => new Float32Array(rowCount * width);
    this.session = session;
    this.signature = signature;
    this.name = name;
    this.rowCount = rowCount;
    this.inputs = floats(inputSize);
    this.logits = floats(outputSize);
    // An index has to be compared with what is legal here, whether the model was told or not.
    const isAsked = ports.mask !== null || ports.answer.kind === 'index';
    this.masks = isAsked ? new Uint8Array(rowCount * outputSize).fill(1) : null;
    this.legal =
      ports.mask && (ports.mask.type === 'bool' ? new Uint8Array(rowCount * outputSize) : floats(outputSize));
    this.memory = memorySize > 0 ? { size: memorySize, now: floats(memorySize), next: floats(memorySize) } : null;
    this.states = stateSizes.map((size, index) => {
      return { size, now: floats(size), next: floats(size), layouts: stateLayouts(signature, index) };
    });
    this.answer = createAnswer(ports.answer, actions, rowCount, name);
    const rows = trial.rowAxes === null ? 1 : rowCount;
    this.runs = Array.from({ length: rowCount / rows }, (_, index) => this.tensorsOf(index, rows));
  }

  async forward(): Promise<void> {
    const { session, masks, memory, legal, states, logits } = this;
    if (masks !== null) legal?.set(masks);
    if (memory !== null) eachPiece(memory, states, 'now', (state, piece, at) => state.set(piece, at));
    for (const { feeds, fetches } of this.runs) await session.run(feeds, fetches);
    if (memory !== null) {
      eachPiece(memory, states, 'next', (state, piece, at) => piece.set(state.subarray(at, at + piece.length)));
    }
    this.answer.write(logits, masks);
    if (logits.some(Number.isNaN)) throw this.notANumber();
    masks?.forEach((mask, index) => {
      if (mask === 0) logits[index] = -Infinity;
    });
  }

  async release(): Promise<void> {
    await Promise.resolve();
  }

  /** The arrays' parts for one run, by the names of the model. */
  private tensorsOf(index: number, rows: number): { feeds: Tensors; fetches: Tensors } {
    const { inputs, legal, states, answer } = this;
    const { ports, trial } = this.signature;
    const part = (array: Typed): Typed => {
      const size = (array.length / this.rowCount) * rows;
      return array.subarray(index * size, (index + 1) * size);
    };
    const fed = (port: ModelPort, array: Typed) => [
      port.name,
      tensorOf(part(array), shapeWithRows(port, rows), port.type),
    ];
    const feeds = [
      fed(ports.observations, inputs),
      ...(legal === null ? [] : [fed(ports.mask!, legal)]),
      ...ports.states.map(({ input }, state) => fed(input, states[state]!.now)),
    ];
    const given = new Map<string, Typed>(Object.entries(answer.arrays));
    ports.states.forEach(({ output }, state) => given.set(output.name, states[state]!.next));
    const fetches = [...given].map(([name, array]) => {
      const shape = [...trial.shapes.get(name)!];
      const axis = trial.rowAxes?.get(name);
      if (axis !== undefined) shape[axis] = rows;
      return [name, tensorOf(part(array), shape)];
    });
    return { feeds: Object.fromEntries(feeds) as Tensors, fetches: Object.fromEntries(fetches) as Tensors };
  }

  private notANumber(): ThawError {
    return new ThawError('REQUEST_CONFLICT', `${this.name}: what it gives is not a number (NaN)`, {
      remedy: 'Its training diverged, or it divides by 0 where observations are 0: export an earlier checkpoint.',
    });
  }
}

/** Rows that are run one by one lie one after the other; those of one run as the model has them. */
function stateLayouts({ ports, trial, stateSizes }: PolicySignature, index: number): State['layouts'] {
  const { input, output } = ports.states[index]!;
  const axis = trial.rowAxes?.get(output.name);
  const whole = { outer: 1, inner: stateSizes[index]! };
  if (axis === undefined) return { now: whole, next: whole };
  return {
    now: rowLayout(shapeWithRows(input, 1), openAxis(input)),
    next: rowLayout(trial.shapes.get(output.name)!, axis),
  };
}

/** Goes through what lies in the memory row by row, state by state within a row, and piece by piece within a state. */
function eachPiece(
  memory: ActorMemory,
  states: readonly State[],
  when: 'now' | 'next',
  move: (state: Float32Array, piece: Float32Array, at: number) => void,
): void {
  const all = memory[when];
  const rowCount = all.length / memory.size;
  let offset = 0;
  for (let row = 0; row < rowCount; row += 1) {
    for (const state of states) {
      const { outer, inner } = state.layouts[when];
      for (let piece = 0; piece < outer; piece += 1) {
        move(state[when], all.subarray(offset, offset + inner), (piece * rowCount + row) * inner);
        offset += inner;
      }
    }
  }
}

function tensorOf(array: Typed, shape: readonly number[], type?: string): ort.Tensor {
  if (type === 'bool') return new ort.Tensor('bool', array as Uint8Array, shape);
  if (array instanceof BigInt64Array) return new ort.Tensor('int64', array, shape);
  if (array instanceof Int32Array) return new ort.Tensor('int32', array, shape);
  return new ort.Tensor('float32', array as Float32Array, shape);
}
