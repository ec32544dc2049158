import type * as ort from 'onnxruntime-node';
import { ThawError } from '../../schemas/errors.ts';
import { type ModelPort, portsFrom, portText } from './model-port.ts';

// Letters: I input features, A discrete actions, D numbers of a box.

/** What a model gives to act by, and as what it is read. */
export type AnswerPorts =
  /** Unnormalised log probabilities of A actions; the index of an action; D numbers as the world takes them. */
  | { readonly kind: 'logits' | 'index' | 'numbers'; readonly port: ModelPort }
  /** Of D numbers scaled to [−1, 1]; without deviations the mean is what is done. */
  | { readonly kind: 'gaussian'; readonly mean: ModelPort; readonly logDeviation: ModelPort | null };

/** What a policy remembers: goes in, comes out changed, and goes in again at the next step. */
export interface StatePorts {
  readonly input: ModelPort;
  readonly output: ModelPort;
}

/** Which input and output of a model is what. */
export interface PolicyPorts {
  readonly observations: ModelPort;
  /** 1 or true where an action is legal. */
  readonly mask: ModelPort | null;
  readonly states: readonly StatePorts[];
  readonly answer: AnswerPorts;
}

/** Input of a state → output that is its next value, where their names do not tell. */
export type StateNames = Readonly<Record<string, string>>;

const MASK = 'action_mask';
const NEXT = '_next';
const INTEGERS = ['int64', 'int32'];

const REMEDY =
  'A policy is an ONNX model from one float32 input [rows, I] of any name, and where it needs them `action_mask` [rows, A] ' +
  '(float32 or bool) and states (float32), to `logits` [rows, A], or the index of an action (int64 or int32), or of a box ' +
  '`mean` [rows, D] with or without `log_std`, or `action` [rows, D] as the world takes it; and to the next value of every ' +
  'state: an output NAME_next for an input NAME, or a pair that is named by `--state IN=OUT`. Rows are open or 1. ' +
  'docs/guides/judging-a-policy.md shows how to export one.';

/** The error about a model that is no policy. */
export type Refuse = (what: string) => ThawError;

/** @returns errors that name the model, say what is wrong, and tell all that the model takes and gives */
export function refusal(model: string, portsText: string): Refuse {
  return (what) => new ThawError('REQUEST_BAD_ARGUMENT', `${model}: ${what}; it has ${portsText}`, { remedy: REMEDY });
}

/** All that a model takes and gives, e.g. `inputs x float32 [1, 3]; outputs y float32 [1, 2]`. */
export function portsText({ inputMetadata, outputMetadata }: ort.InferenceSession): string {
  const list = (metadata: typeof inputMetadata): string => portsFrom(metadata).map(portText).join(', ') || 'none';
  return `inputs ${list(inputMetadata)}; outputs ${list(outputMetadata)}`;
}

/**
 * Tells by names and types which input and output is what.
 * @throws REQUEST_BAD_ARGUMENT with what was expected and what was found
 */
export function policyPorts(session: ort.InferenceSession, stateNames: StateNames, refuse: Refuse): PolicyPorts {
  const inputs = portsFrom(session.inputMetadata);
  const outputs = portsFrom(session.outputMetadata);
  const states = statesOf(inputs, outputs, stateNames, refuse);
  const mask = inputs.find(({ name }) => name === MASK) ?? null;
  const others = inputs.filter((port) => port !== mask && !states.some(({ input }) => input === port));
  const given = outputs.filter((port) => !states.some(({ output }) => output === port));
  if (mask !== null && !['float32', 'bool'].includes(mask.type)) {
    throw refuse(`input "${MASK}": expected float32 or bool, found ${mask.type}`);
  }
  return { observations: observationsOf(others, refuse), mask, states, answer: answerOf(given, refuse) };
}

function statesOf(
  inputs: readonly ModelPort[],
  outputs: readonly ModelPort[],
  names: StateNames,
  refuse: Refuse,
): StatePorts[] {
  const pairs = new Map(Object.entries(names));
  for (const { name } of inputs) {
    if (!pairs.has(name) && outputs.some((output) => output.name === name + NEXT)) pairs.set(name, name + NEXT);
  }
  const orphan = outputs.find(({ name }) => name.endsWith(NEXT) && ![...pairs.values()].includes(name));
  if (orphan !== undefined) {
    throw refuse(`output "${orphan.name}": expected an input "${orphan.name.slice(0, -NEXT.length)}" to go back into`);
  }
  return [...pairs].map(([from, to]) => {
    const input = inputs.find(({ name }) => name === from);
    const output = outputs.find(({ name }) => name === to);
    if (input === undefined) throw refuse(`the state ${from}=${to}: there is no input "${from}"`);
    if (output === undefined) throw refuse(`the state ${from}=${to}: there is no output "${to}"`);
    for (const { name, type } of [input, output]) {
      if (type !== 'float32') throw refuse(`the state "${name}": expected float32, found ${type}`);
    }
    return { input, output };
  });
}

function observationsOf(candidates: readonly ModelPort[], refuse: Refuse): ModelPort {
  const port = candidates.find(({ name }) => name === 'observations') ?? only(candidates);
  if (port === undefined || candidates.length > 1) {
    const names = candidates.map(({ name }) => name).join(', ');
    throw refuse(
      candidates.length === 0
        ? 'expected an input for observations, float32 [rows, I]'
        : `inputs ${names}: expected observations alone beside ${MASK} and states, and nothing says which of these are ` +
            `states: add --state NAME=OUT for each, with the output that is its next value, or call that NAME${NEXT}`,
    );
  }
  if (port.type !== 'float32') throw refuse(`input "${port.name}": expected float32, found ${port.type}`);
  const isRow = port.shape.slice(0, -1).every((length) => length === 1 || typeof length === 'string');
  if (!isRow || typeof port.shape.at(-1) !== 'number') {
    // Rows fixed at more than 1 would have to be padded; nobody exports policies so.
    throw refuse(`input "${port.name}": expected [rows, I] with rows open or 1 and a fixed number of features`);
  }
  return port;
}

function answerOf(outputs: readonly ModelPort[], refuse: Refuse): AnswerPorts {
  const named = (name: string): ModelPort | undefined => outputs.find((port) => port.name === name);
  const integers = outputs.filter(({ type }) => INTEGERS.includes(type));
  const mean = named('mean');
  const port = named('logits') ?? mean ?? named('action') ?? only(outputs) ?? only(integers);
  if (port === undefined)
    throw refuse('expected an output to act by: `logits`, the index of an action, `mean` or `action`');
  if (port !== named('logits') && INTEGERS.includes(port.type)) return { kind: 'index', port };
  const logDeviation = port === mean ? (named('log_std') ?? null) : null;
  for (const { name, type } of [port, ...(logDeviation === null ? [] : [logDeviation])]) {
    if (type !== 'float32') throw refuse(`output "${name}": expected float32, found ${type}`);
  }
  if (port === mean) return { kind: 'gaussian', mean, logDeviation };
  return { kind: port.name === 'action' ? 'numbers' : 'logits', port };
}

function only(ports: readonly ModelPort[]): ModelPort | undefined {
  return ports.length === 1 ? ports[0] : undefined;
}
