import { SeatActor } from '../learning/rollout/seat-actor.ts';
import { describeModel } from '../learning/rollout/partner-policies.ts';
import { isThawError, ThawError } from '../schemas/errors.ts';
import type { ActionArray, Batch, World } from '../simulators/contract.ts';
import { RandomStream } from '../simulators/random.ts';
import { POLICY_BYTES_MAX, readLimited } from './read-limited.ts';

/** A policy out of an ONNX file, acting in one episode of one environment: it remembers from its first action on. */
export interface FilePolicy {
  /** The seats of its group. */
  readonly seats: readonly number[];
  /** Fills in the most probable action of every seat that is driven from outside. @param actions shape [N W] */
  act(batch: Batch, actions: ActionArray): Promise<void>;
  release(): Promise<void>;
}

/**
 * Loads a policy for the group of seats whose observations it takes.
 * @throws REQUEST_FILE_UNREADABLE, or REQUEST_BAD_ARGUMENT or REQUEST_CONFLICT when the model does not fit the world
 */
export async function createFilePolicy(file: string, world: World): Promise<FilePolicy> {
  const bytes = await readLimited(file, { bytesMax: POLICY_BYTES_MAX }).catch((error: unknown) => {
    throw new ThawError('REQUEST_FILE_UNREADABLE', `${file} cannot be read: ${(error as Error).message}`);
  });
  const { loadPolicy } = await import('../infra/onnx/policy-model.ts');
  const model = await loadPolicy(bytes, file);
  const policy = descriptionThatFits(world, model);
  const { seats } = world.groups[policy.group]!;
  const seated = new SeatActor({
    world,
    policy,
    seats,
    environmentCount: 1,
    actor: await model.createActor(seats.length, policy.actions),
  });
  const random = new RandomStream({ high: 0, low: 0 });
  const lengths = Int32Array.of(0);
  return {
    seats,
    async act(batch, actions) {
      seated.observe(batch, lengths);
      await seated.forward();
      seated.commit();
      lengths[0]! += 1;
      for (const [row, seat] of seats.entries()) {
        if (batch.external[seat] === 1)
          seated.choose('deterministic', row, random, actions, seat * seated.head.actionSize);
      }
    },
    release: () => model.release(),
  };
}

function descriptionThatFits(
  world: World,
  model: Parameters<typeof describeModel>[2],
): ReturnType<typeof describeModel> {
  const misfits: unknown[] = [];
  for (const group of world.groups.keys()) {
    try {
      return describeModel(world, group, model);
    } catch (error) {
      if (!isThawError(error)) throw error;
      misfits.push(error);
    }
  }
  throw misfits[0];
}
