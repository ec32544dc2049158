import * as ort from 'onnxruntime-node';
import { type ModelPort, openAxis, rowLayout, rowWidth, shapeWithRows } from './model-port.ts';
import type { PolicyPorts, Refuse } from './policy-ports.ts';

/** What a model was seen to give. */
export interface PolicyTrial {
  /** By output: its shape for one row. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  /** By output: which of the lengths is the number of rows; null where rows are run one by one. */
  readonly rowAxes: ReadonlyMap<string, number> | null;
}

type Given = Readonly<Record<string, ort.Tensor>>;

/** More than one, and no length that a policy is likely to have. */
const TRIAL_ROWS = 3;
/** Relative: by so much the numbers of a row may depend on how many rows there are. */
const ROUNDING = 1e-4;

/**
 * Runs a model with one row and with three of made-up numbers. What a file declares of its outputs is often missing or wrong:
 * an exporter may have set the one row of its example for good, and some models mix their rows. Whenever three rows are not
 * three times one row, rows are run one by one, which takes longer and is always right.
 *
 * @throws REQUEST_BAD_ARGUMENT when the model does not run
 */
export async function tryPolicy(
  session: ort.InferenceSession,
  ports: PolicyPorts,
  refuse: Refuse,
): Promise<PolicyTrial> {
  const one = await run(session, ports, 1).catch((error: unknown) => {
    throw refuse(`it cannot be run with one row of numbers: ${(error as Error).message.trim()}`);
  });
  const shapes = new Map(usedOutputs(ports).map(({ name }) => [name, one[name]!.dims]));
  return { shapes, rowAxes: areRowsOpen(ports) ? await tryRows(session, ports, one) : null };
}

/** A state may have something before its rows, e.g. the layers of a network; all else has rows alone. */
function areRowsOpen({ observations, mask, states }: PolicyPorts): boolean {
  const plain = [observations, ...(mask === null ? [] : [mask])];
  const isPlain = plain.every((port) => rowLayout(shapeWithRows(port, 1), openAxis(port)).outer === 1);
  return isPlain && [...plain, ...states.map(({ input }) => input)].every((port) => openAxis(port) >= 0);
}

async function tryRows(
  session: ort.InferenceSession,
  ports: PolicyPorts,
  one: Given,
): Promise<ReadonlyMap<string, number> | null> {
  const many = await run(session, ports, TRIAL_ROWS).catch(() => null);
  if (many === null) return null;
  const axes = new Map<string, number>();
  for (const { name, isState } of usedOutputs(ports)) {
    const [alone, among] = [one[name]!, many[name]!];
    const axis = rowAxis(alone.dims, among.dims);
    const isPlaced = axis !== null && (isState || rowLayout(alone.dims, axis).outer === 1);
    if (!isPlaced || !startsAlike(alone, among, axis)) return null;
    axes.set(name, axis);
  }
  return axes;
}

function rowAxis(one: readonly number[], many: readonly number[]): number | null {
  const axis = one.findIndex((length, index) => length !== many[index]);
  const isSameRank = one.length === many.length;
  const isOnly = one.every((length, index) => index === axis || length === many[index]);
  return isSameRank && isOnly && one[axis] === 1 && many[axis] === TRIAL_ROWS ? axis : null;
}

/** Whether the first row is what it is alone. */
function startsAlike({ data: one, dims }: ort.Tensor, { data: many }: ort.Tensor, axis: number): boolean {
  const { inner } = rowLayout(dims, axis);
  return Array.from(one as ArrayLike<number | bigint>).every((value, index) => {
    const place = index + Math.floor(index / inner) * (TRIAL_ROWS - 1) * inner;
    const [alone, among] = [Number(value), Number(many[place])];
    return Object.is(alone, among) || Math.abs(alone - among) <= ROUNDING * (1 + Math.abs(alone));
  });
}

function usedOutputs({ answer, states }: PolicyPorts): { readonly name: string; readonly isState: boolean }[] {
  const answers =
    answer.kind === 'gaussian' ? [answer.mean, ...(answer.logDeviation ? [answer.logDeviation] : [])] : [answer.port];
  return [
    ...answers.map(({ name }) => ({ name, isState: false })),
    ...states.map(({ output }) => ({ name: output.name, isState: true })),
  ];
}

function run(session: ort.InferenceSession, ports: PolicyPorts, rows: number): Promise<Given> {
  const { observations, mask, states } = ports;
  const feeds = [observations, ...states.map(({ input }) => input)].map((port): [string, ort.Tensor] => [
    port.name,
    new ort.Tensor('float32', madeUp(port, rows), shapeWithRows(port, rows)),
  ]);
  if (mask !== null) {
    const ones = { float32: Float32Array, bool: Uint8Array }[mask.type as 'float32' | 'bool'];
    const data = new ones(rows * rowWidth(mask)).fill(1);
    feeds.push([mask.name, new ort.Tensor(mask.type as 'float32', data as Float32Array, shapeWithRows(mask, rows))]);
  }
  return session.run(
    Object.fromEntries(feeds),
    usedOutputs(ports).map(({ name }) => name),
  );
}

/** Numbers in [−1, 1], other ones in every row, and the same ones in the first whatever the number of rows is. */
function madeUp(port: ModelPort, rows: number): Float32Array {
  const { inner } = rowLayout(shapeWithRows(port, 1), Math.max(0, openAxis(port)));
  return Float32Array.from({ length: rows * rowWidth(port) }, (_, index) => {
    const [piece, row, place] = [Math.floor(index / (rows * inner)), Math.floor(index / inner) % rows, index % inner];
    return Math.sin(1 + 1.7 * (piece * inner + place) + 0.9 * row);
  });
}
