import './no-telemetry.ts';
import * as ort from 'onnxruntime-node';
import type { PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { ThawError } from '../../schemas/errors.ts';
import { PolicyActor } from './policy-actor.ts';
import type { StateNames } from './policy-ports.ts';
import { policySignature } from './policy-signature.ts';
import { readModel } from './read-model.ts';

/** A policy out of an ONNX file, with what has to be given back at the end. */
export interface LoadedPolicy extends PolicyModel {
  /** What it says of itself; a policy that Thaw exported says where it comes from. */
  readonly metadata: ReadonlyMap<string, string>;
  release(): Promise<void>;
}

/**
 * Loads a policy as runs export it, see `exportedPolicyGraph`, and as other programs do, see `policyPorts`. A model whose
 * rows are fixed at 1 is run row by row.
 * @param name what errors call it
 * @param states inputs that are states and the outputs that are their next values, where their names do not tell
 * @throws REQUEST_BAD_ARGUMENT when it is no such model
 */
export async function loadPolicy(bytes: Uint8Array, name: string, states: StateNames = {}): Promise<LoadedPolicy> {
  // What goes wrong is thrown; a trial that fails is no error, and nobody should read of it.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 } as const;
  const session = await ort.InferenceSession.create(bytes, options).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${name} is no ONNX model: ${(error as Error).message.trim()}`);
  });
  try {
    const read = readModel(bytes, name);
    const signature = await policySignature(session, { name, states, read });
    return {
      ...signature.model,
      metadata: read.metadata,
      createActor: async (rowCount, actions) => new PolicyActor(session, { signature, rowCount, actions, name }),
      release: () => session.release(),
    };
  } catch (error) {
    await session.release();
    throw error;
  }
}
