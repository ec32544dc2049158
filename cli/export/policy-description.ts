import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { describeModel } from '../../learning/rollout/partner-policies.ts';
import type { ObservationPart, World } from '../../simulators/contract.ts';
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
  readonly action_count: number;
  readonly observation: readonly ObservationPart[];
  readonly actions: readonly string[];
}

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
    const { inputSize, identitySize, actions } = describeModel(world, group, model);
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
      action_count: actionHead(actions).outputSize,
      observation,
      actions: DEFAULT_REGISTRIES.families[world.family]!.card.actions,
    };
  } finally {
    await model.release();
  }
}
