import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import { SeatActor } from '../../learning/rollout/seat-actor.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { RandomStream } from '../../simulators/random.ts';
import { openPolicyFile } from './policy-file.ts';

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
 * @param states see `loadPolicy`
 * @throws REQUEST_FILE_UNREADABLE, or REQUEST_BAD_ARGUMENT or REQUEST_CONFLICT when the model does not fit the world
 */
export async function createFilePolicy(file: string, world: World, states: StateNames = {}): Promise<FilePolicy> {
  const { model, fitting } = await openPolicyFile(file, { world, groups: [...world.groups.keys()], states });
  const [policy] = fitting;
  const { seats } = world.groups[policy!.group]!;
  const seated = new SeatActor({
    world,
    policy: policy!,
    seats,
    environmentCount: 1,
    actor: await model.createActor(seats.length, policy!.actions),
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
