import type * as ort from 'onnxruntime-node';
import type { PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { rowWidth } from './model-port.ts';
import { policyPorts, type PolicyPorts, portsText, type Refuse, refusal, type StateNames } from './policy-ports.ts';
import { type PolicyTrial, tryPolicy } from './policy-trial.ts';
import type { ReadModel } from './read-model.ts';

// Letters: I input features, A discrete actions, D numbers of a box, H numbers of a memory.

/** What a policy takes and gives for a row, and how many rows at once. */
export interface PolicySignature {
  readonly model: Omit<PolicyModel, 'createActor'>;
  readonly ports: PolicyPorts;
  readonly trial: PolicyTrial;
  /** By state: its numbers, which together are the memory. */
  readonly stateSizes: readonly number[];
}

/** Operators that draw from a stream of the runtime, which no seed of ours reaches. */
const RANDOM = ['Bernoulli', 'Multinomial', 'RandomNormal', 'RandomNormalLike', 'RandomUniform', 'RandomUniformLike'];

/**
 * Reads off a model, and sees by running it, what a policy takes and gives.
 * @param options.name what errors call it
 * @throws REQUEST_BAD_ARGUMENT with what was expected and what was found
 */
export async function policySignature(
  session: ort.InferenceSession,
  { name, states, read }: { name: string; states: StateNames; read: ReadModel },
): Promise<PolicySignature> {
  const described = `${portsText(session)}; opset ${read.opset ?? 'unknown'}`;
  const refuse = refusal(name, described);
  const drawing = RANDOM.filter((operator) => read.operators.has(operator));
  if (drawing.length > 0) {
    throw refuse(`expected a model that draws nothing by itself, found ${drawing.join(', ')}: no seed would repeat it`);
  }
  const ports = policyPorts(session, states, refuse);
  const trial = await tryPolicy(session, ports, refuse);
  const { outputSize, isCertain } = answerSize(ports, trial, refuse);
  const stateSizes = ports.states.map(({ input, output }) => {
    return equalSize(output.name, trial, rowWidth(input), `as many numbers as ${input.name}`, refuse);
  });
  if (ports.mask !== null && outputSize !== null && rowWidth(ports.mask) !== outputSize) {
    throw refuse(`input "action_mask": expected [rows, ${outputSize}] (a number for each action)`);
  }
  return {
    ports,
    trial,
    stateSizes,
    model: {
      inputSize: rowWidth(ports.observations),
      outputSize,
      actionKind: ports.answer.kind === 'logits' || ports.answer.kind === 'index' ? 'discrete' : 'box',
      isMasked: ports.mask !== null,
      memorySize: stateSizes.reduce((sum, size) => sum + size, 0),
      ...(isCertain && { isCertain }),
      described,
    },
  };
}

function answerSize(
  { answer, mask }: PolicyPorts,
  trial: PolicyTrial,
  refuse: Refuse,
): { readonly outputSize: number | null; readonly isCertain: boolean } {
  switch (answer.kind) {
    case 'index':
      equalSize(answer.port.name, trial, 1, 'one index for each row', refuse);
      return { outputSize: mask === null ? null : rowWidth(mask), isCertain: true };
    case 'logits':
      return { outputSize: sizeOf(answer.port.name, trial), isCertain: false };
    case 'numbers':
      return { outputSize: 2 * sizeOf(answer.port.name, trial), isCertain: true };
    case 'gaussian': {
      const size = sizeOf(answer.mean.name, trial);
      if (answer.logDeviation === null) return { outputSize: 2 * size, isCertain: true };
      equalSize(answer.logDeviation.name, trial, size, `as many numbers as ${answer.mean.name}`, refuse);
      return { outputSize: 2 * size, isCertain: false };
    }
  }
}

/** Numbers of an output for one row. */
function sizeOf(name: string, { shapes }: PolicyTrial): number {
  return shapes.get(name)!.reduce((product, length) => product * length, 1);
}

function equalSize(name: string, trial: PolicyTrial, size: number, why: string, refuse: Refuse): number {
  if (sizeOf(name, trial) === size) return size;
  const given = trial.shapes.get(name)!.join(', ');
  throw refuse(`output "${name}": expected [rows, ${size}] (${why}), and a row gave [${given}]`);
}
