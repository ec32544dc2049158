import { createHash } from 'node:crypto';
import type { LoadedPolicy } from '../../infra/onnx/policy-model.ts';
import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import type { PolicyDescription } from '../../learning/algorithms/contract.ts';
import { describeModel } from '../../learning/rollout/partner-policies.ts';
import { isThawError, ThawError } from '../../schemas/errors.ts';
import type { World } from '../../simulators/contract.ts';
import { differencesOfOrigin } from './policy-origin.ts';
import { POLICY_BYTES_MAX, readLimited } from '../files/read-limited.ts';
import { note } from '../terminal/terminal.ts';

/** A policy out of an ONNX file, and the seats of a world that it may act for. */
export interface PolicyFile {
  readonly file: string;
  readonly sha256: string;
  readonly model: LoadedPolicy;
  /** One at least, by group. */
  readonly fitting: readonly PolicyDescription[];
}

export interface PolicyPlace {
  readonly world: World;
  /** Groups of seats that it may be for. */
  readonly groups: readonly number[];
  readonly states: StateNames;
}

/**
 * Opens a policy for those of some groups of seats whose shapes it has. Who opened it releases its model.
 * @throws REQUEST_FILE_UNREADABLE, or REQUEST_BAD_ARGUMENT or REQUEST_CONFLICT when it fits none of them
 */
export async function openPolicyFile(file: string, { world, groups, states }: PolicyPlace): Promise<PolicyFile> {
  const bytes = await readLimited(file, { bytesMax: POLICY_BYTES_MAX }).catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  const { loadPolicy } = await import('../../infra/onnx/policy-model.ts');
  const model = await loadPolicy(bytes, file, states);
  try {
    const differences = differencesOfOrigin(model.metadata, world, file);
    const fitting = descriptionsThatFit(model, file, world, groups);
    if (differences.length > 0) note(`${file} was trained with other family options: ${differences.join('; ')}.`);
    return { file, sha256: createHash('sha256').update(bytes).digest('hex'), model, fitting };
  } catch (error) {
    await model.release();
    throw error;
  }
}

function descriptionsThatFit(
  model: LoadedPolicy,
  file: string,
  world: World,
  groups: readonly number[],
): PolicyDescription[] {
  const misfits: ThawError[] = [];
  const fitting = groups.flatMap((group) => {
    try {
      return [describeModel(world, group, model)];
    } catch (error) {
      if (!isThawError(error)) throw error;
      misfits.push(new ThawError(error.code, `${file}: ${error.message}`, { remedy: error.remedy }));
      return [];
    }
  });
  if (fitting.length === 0) throw misfits[0]!;
  return fitting;
}
