import * as ort from 'onnxruntime-node';
import { hasOpenRows, type ModelPort, rowWidth, shapeWithRows } from './model-port.ts';
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
    throw refuse(`it cannot be run with one row of numbers: ${(error as Error).message}`);
  });
  const shapes = new Map(answersOf(ports).map((name) => [name, one[name]!.dims]));
  return { shapes, rowAxes: inputsOf(ports).every(hasOpenRows) ? await tryRows(session, ports, one) : null };
}

async function tryRows(
  session: ort.InferenceSession,
  ports: PolicyPorts,
  one: Given,
): Promise<ReadonlyMap<string, number> | null> {
  const many = await run(session, ports, TRIAL_ROWS).catch(() => null);
  if (many === null) return null;
  const axes = new Map<string, number>();
  for (const name of answersOf(ports)) {
    const axis = rowAxis(one[name]!, many[name]!);
    if (axis === null || !startsAlike(one[name]!, many[name]!)) return null;
    axes.set(name, axis);
  }
  return axes;
}

/** The length that is the number of rows, where nothing but rows lies before it. */
function rowAxis({ dims: one }: ort.Tensor, { dims: many }: ort.Tensor): number | null {
  const axis = one.findIndex((length, index) => length !== many[index]);
  const isRows = one[axis] === 1 && many[axis] === TRIAL_ROWS && one.slice(0, axis).every((length) => length === 1);
  const areOthersEqual =
    one.length === many.length && one.slice(axis + 1).every((length, at) => length === many[axis + 1 + at]);
  return isRows && areOthersEqual ? axis : null;
}

/** Whether the first row is what it is alone. */
function startsAlike({ data: one }: ort.Tensor, { data: many }: ort.Tensor): boolean {
  return Array.from(one as ArrayLike<number | bigint>).every((value, index) => {
    const [alone, among] = [Number(value), Number(many[index])];
    return Object.is(alone, among) || Math.abs(alone - among) <= ROUNDING * (1 + Math.abs(alone));
  });
}

function inputsOf({ observations, mask, states }: PolicyPorts): ModelPort[] {
  return [observations, ...(mask === null ? [] : [mask]), ...states.map(({ input }) => input)];
}

/** Names of the outputs that are used. */
export function answersOf({ answer, states }: PolicyPorts): string[] {
  const { kind } = answer;
  const ports =
    kind === 'gaussian' ? [answer.mean, ...(answer.logDeviation ? [answer.logDeviation] : [])] : [answer.port];
  return [...ports, ...states.map(({ output }) => output)].map(({ name }) => name);
}

/** Numbers in [−1, 1] that are the same in the first row whatever the number of rows is; every action is legal. */
function run(session: ort.InferenceSession, ports: PolicyPorts, rows: number): Promise<Given> {
  const feeds = inputsOf(ports).map((port): [string, ort.Tensor] => {
    const [size, shape] = [rows * rowWidth(port), shapeWithRows(port, rows)];
    if (port.type === 'bool') return [port.name, new ort.Tensor('bool', new Uint8Array(size).fill(1), shape)];
    const value = (index: number): number => (port === ports.mask ? 1 : Math.sin(1 + 1.7 * index));
    return [
      port.name,
      new ort.Tensor(
        'float32',
        Float32Array.from({ length: size }, (_, index) => value(index)),
        shape,
      ),
    ];
  });
  return session.run(Object.fromEntries(feeds), answersOf(ports));
}
