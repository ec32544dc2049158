import path from 'node:path';
import { z } from 'zod';
import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import { actionSchema } from '../../learning/recordings/recorded-step.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ActionSpace, Batch, World } from '../../simulators/contract.ts';
import { foldIn, type Key, PURPOSE, RandomStream } from '../../simulators/random.ts';
import type { Chooser } from '../../web/replay/play-steps.ts';
import { createFilePolicy } from '../policies/file-policy.ts';
import { readJson } from '../files/json-file.ts';
import { parseArgument } from '../simulators/open-world.ts';

// N seats.

/** Where the actions of the seats come from that no scripted partner holds. Exactly one is given, if there are any. */
export interface ActionSource {
  /** File with the actions of every step. */
  readonly actions: string | undefined;
  /** ONNX file of a policy that acts on every seat of the group that it fits; those of other groups do nothing. */
  readonly policy: string | undefined;
  /** Inputs of the policy that are states and the outputs that are their next values; see `loadPolicy`. */
  readonly state?: StateNames | undefined;
  /** Whether they act at random. */
  readonly random: boolean;
}

/**
 * @param batch of one environment, reset, so that it tells which seats are driven from outside
 * @param key of the episode
 * @throws REQUEST_BAD_ARGUMENT unless exactly one source is given; none is needed when every seat is scripted
 */
export async function createChooser(world: World, batch: Batch, key: Key, source: ActionSource): Promise<Chooser> {
  const { actions, policy, state, random } = source;
  const given = [actions !== undefined, policy !== undefined, random].filter(Boolean).length;
  if (given === 0 && !batch.external.includes(1)) return nobody(world);
  if (given !== 1) {
    const free = [...batch.external.keys()].filter((seat) => batch.external[seat] === 1).join(', ');
    throw new ThawError(
      'REQUEST_BAD_ARGUMENT',
      free === ''
        ? 'Give one of --actions, --policy and --random at most.'
        : `Give one of --actions, --policy and --random, for the seats that no scripted partner holds: ${free}.`,
    );
  }
  if (actions !== undefined) return listedActions(world, actions);
  return policy === undefined ? randomActions(world, key) : policyActions(world, policy, state);
}

const nothing = async (): Promise<void> => undefined;

function nobody(world: World): Chooser {
  return { stepCount: world.episodeStepsMax, driver: () => 'nobody', choose: nothing, release: nothing };
}

/** Shape [N]: what each seat may do. */
function actionSpaces({ seatCount, groups }: World): ActionSpace[] {
  return Array.from({ length: seatCount }, (_, seat) => groups.find(({ seats }) => seats.includes(seat))!.actions);
}

async function listedActions(world: World, file: string): Promise<Chooser> {
  const joint = z.tuple(actionSpaces(world).map(actionSchema) as [z.ZodType<number | number[]>]);
  const steps = parseArgument('--actions', z.array(joint), await readJson(file));
  return {
    stepCount: steps.length,
    driver: () => `actions: ${path.basename(file)}`,
    async choose(step, _batch, into) {
      into.set(steps[step]!.flat());
    },
    release: nothing,
  };
}

/** Every action is as probable, whether legal or not, as for the random policy that evaluations compare with. */
function randomActions(world: World, key: Key): Chooser {
  const heads = actionSpaces(world).map(actionHead);
  const stream = new RandomStream(foldIn(key, PURPOSE.actionSampling));
  return {
    stepCount: world.episodeStepsMax,
    driver: () => 'random',
    async choose(step, _batch, into) {
      heads.forEach((head, seat) => {
        stream.seek(step * world.seatCount + seat);
        head.any(stream, into, seat * head.actionSize);
      });
    },
    release: nothing,
  };
}

async function policyActions(world: World, file: string, states: StateNames | undefined): Promise<Chooser> {
  const policy = await createFilePolicy(file, world, states);
  return {
    stepCount: world.episodeStepsMax,
    driver: (seat) => (policy.seats.includes(seat) ? `policy: ${path.basename(file)}` : 'idle'),
    choose: (_step, batch, into) => policy.act(batch, into),
    release: () => policy.release(),
  };
}
