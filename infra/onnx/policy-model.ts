import './no-telemetry.ts';
import * as ort from 'onnxruntime-node';
import type { PolicyModel } from '../../learning/rollout/partner-policies.ts';
import { ThawError } from '../../schemas/errors.ts';
import { PolicyActor } from './policy-actor.ts';
import { policySignature } from './policy-signature.ts';

/** A policy out of an ONNX file, with what has to be given back at the end. */
export interface LoadedPolicy extends PolicyModel {
  release(): Promise<void>;
}

/**
 * Loads a policy as runs export it, see `exportedPolicyGraph`, and as other programs may. A model whose rows are fixed at 1
 * is run row by row.
 * @param name what errors call it
 * @throws REQUEST_BAD_ARGUMENT when it is no such model
 */
export async function loadPolicy(bytes: Uint8Array, name: string): Promise<LoadedPolicy> {
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 } as const;
  const session = await ort.InferenceSession.create(bytes, options).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${name} is no ONNX model: ${(error as Error).message}`);
  });
  try {
    const { rowsAtOnce, ...signature } = policySignature(session, name);
    return {
      ...signature,
      createActor: async (rowCount) => new PolicyActor(session, { ...signature, rowsAtOnce }, rowCount),
      release: () => session.release(),
    };
  } catch (error) {
    await session.release();
    throw error;
  }
}
