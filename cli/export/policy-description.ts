import { actingText } from '../../infra/onnx/exported-model.ts';
import { OPSET_VERSION } from '../../infra/onnx/model-proto.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import { readModel } from '../../infra/onnx/read-model.ts';
import { describeModel } from '../../learning/rollout/partner-policies.ts';
import type { ActionSpace, ObservationPart, World } from '../../simulators/contract.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';

/** What it takes to use a policy, beside the file. */
export interface PolicyDescription {
  readonly family: string;
  readonly family_version: string;
  readonly family_options: Readonly<Record<string, unknown>>;
  /** Seats that are alike, and which of them it acts for. */
  readonly group: number;
  readonly role: string;
  readonly seats: readonly number[];
  readonly observation_size: number;
  /** Entries behind the observation: a one-hot of the seat within its group; 0 where the network is one seat's alone. */
  readonly identity_size: number;
  readonly input_size: number;
  /** Whether it takes which actions are legal, as `action_mask`. */
  readonly masked: boolean;
  /** Numbers of its memory; 0 without one. */
  readonly memory_size: number;
  readonly action_space: ActionSpace;
  /** Inputs and outputs by name, as shapes. */
  readonly inputs: Readonly<Record<string, PortShape>>;
  readonly outputs: Readonly<Record<string, PortShape>>;
  readonly opset: number;
  /** Where observations are shifted and scaled: in the model, or nowhere. */
  readonly normalization: string;
  /** How an action is chosen, in words. */
  readonly acting: string;
  readonly observation: readonly ObservationPart[];
  /** What each action, or each number of a box, does. */
  readonly actions: readonly string[];
}

type PortShape = readonly [rows: 'rows', width: number];

/** A policy that was exported. */
export interface ExportedPolicy extends PolicyDescription {
  /** Its path within the folder of policies. */
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly experiment: string;
  readonly variant: string;
  readonly seed: number;
  readonly checkpoint: 'last' | 'best';
  /** Completed rounds. */
  readonly round: number;
}

export async function describePolicy(world: World, group: number, bytes: Uint8Array): Promise<PolicyDescription> {
  const model = await loadPolicy(bytes, 'the policy');
  try {
    const { inputSize, identitySize, actions, isMasked, memorySize } = describeModel(world, group, model);
    const { role, seats, observationSize, observation } = world.groups[group]!;
    return {
      family: world.family,
      family_version: world.version,
      family_options: world.options,
      group,
      role,
      seats,
      observation_size: observationSize,
      identity_size: identitySize,
      input_size: inputSize,
      masked: isMasked,
      memory_size: memorySize,
      action_space: actions,
      ...portsOf(actions, { inputSize, isMasked, memorySize }),
      opset: OPSET_VERSION,
      normalization: readModel(bytes, 'the policy').metadata.get('normalization') ?? 'none',
      acting: actingText(actions.kind === 'discrete', memorySize > 0),
      observation,
      actions: DEFAULT_REGISTRIES.families[world.family]!.card.actions,
    };
  } finally {
    await model.release();
  }
}

function portsOf(
  actions: ActionSpace,
  { inputSize, isMasked, memorySize }: { inputSize: number; isMasked: boolean; memorySize: number },
): Pick<PolicyDescription, 'inputs' | 'outputs'> {
  const rows = (width: number): PortShape => ['rows', width];
  const size = actions.kind === 'discrete' ? actions.count : actions.low.length;
  return {
    inputs: {
      observations: rows(inputSize),
      ...(isMasked && { action_mask: rows(size) }),
      ...(memorySize > 0 && { memory: rows(memorySize) }),
    },
    outputs: {
      ...(actions.kind === 'discrete'
        ? { logits: rows(size) }
        : { action: rows(size), mean: rows(size), log_std: rows(size) }),
      ...(memorySize > 0 && { memory_next: rows(memorySize) }),
    },
  };
}
