import { readFile } from 'node:fs/promises';
import { bestAction } from '../learning/action-choice.ts';
import { discreteActionCount, DrivenSeats } from '../learning/driven-seats.ts';
import { ThawError } from '../schemas/errors.ts';
import type { Batch, World } from '../simulators/contract.ts';

/** A policy out of an ONNX file, acting in one environment. */
export interface FilePolicy {
  /** Fills in the most probable action of every seat that is driven from outside. @param actions shape [N] */
  act(batch: Batch, actions: Int32Array): Promise<void>;
  release(): Promise<void>;
}

/**
 * Loads a policy as runs export it: `observations` [rows, I] → `logits` [rows, A], where I is the observation of a seat,
 * followed by a one-hot identity within its group when the seats share the network.
 *
 * @throws REQUEST_FILE_UNREADABLE, or REQUEST_BAD_ARGUMENT when the model does not fit the world
 */
export async function createFilePolicy(file: string, world: World): Promise<FilePolicy> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  const ort = await import('onnxruntime-node');
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: 1, logSeverityLevel: 3 }).catch(
    (error: unknown) => {
      throw new ThawError('REQUEST_BAD_ARGUMENT', `${file} is no ONNX model: ${(error as Error).message}`);
    },
  );
  const inputSize = inputSizeOf(session.inputMetadata, file);
  const { group, identitySize } = groupThatFits(world, inputSize, file);
  const { seats, actions: space } = world.groups[group]!;
  const actionCount = discreteActionCount(space);
  const observer = new DrivenSeats(world, { group, inputSize, identitySize, actionCount }, seats, 1);
  const inputs = new Float32Array(seats.length * inputSize);
  return {
    async act(batch, actions) {
      observer.observe(batch, inputs);
      for (const [row, seat] of seats.entries()) {
        if (batch.external[seat] !== 1) continue;
        // One row at a time, because a policy is exported for one row and need not take more.
        const data = inputs.slice(row * inputSize, (row + 1) * inputSize);
        const { logits } = await session.run({ observations: new ort.Tensor('float32', data, [1, inputSize]) });
        actions[seat] = bestAction(logits!.data as Float32Array, 0, actionCount);
      }
    },
    release: () => session.release(),
  };
}

interface ValueMetadata {
  readonly name: string;
  readonly shape?: readonly (number | string)[];
}

function inputSizeOf(metadata: readonly unknown[], file: string): number {
  const input = (metadata as readonly ValueMetadata[]).find(({ name }) => name === 'observations');
  const size = input?.shape?.at(-1);
  if (typeof size === 'number') return size;
  throw new ThawError('REQUEST_BAD_ARGUMENT', `${file} has no input "observations" of a fixed width.`);
}

/** The group of seats whose observation, with or without identity, is what the model takes. */
function groupThatFits(world: World, inputSize: number, file: string): { group: number; identitySize: number } {
  for (const [group, { seats, observationSize }] of world.groups.entries()) {
    const identitySize = inputSize - observationSize;
    if (identitySize === 0 || identitySize === seats.length) return { group, identitySize };
  }
  const sizes = world.groups.map(
    ({ observationSize, seats }) => `${observationSize} or ${observationSize + seats.length}`,
  );
  throw new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `${file} takes ${inputSize} features; ${world.family} with these options has ${sizes.join(', ')}.`,
    { remedy: 'Give the `--options` that the policy was trained with.' },
  );
}
