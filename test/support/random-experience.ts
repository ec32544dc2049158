import type { Experienced, PolicyDescription } from '../../learning/algorithms/contract.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { jointSizeOf } from '../../learning/rollout/joint-observer.ts';
import {
  createRollout,
  type ExperienceNeeds,
  type Rollout,
  STEP_CONTINUES,
  STEP_TERMINATED,
  STEP_TRUNCATED,
} from '../../learning/rollout/rollout-buffer.ts';
import type { World } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';

/** What a learner that looks ahead asks for. */
export const NEXT_NEEDS: ExperienceNeeds = { values: false, nextInputs: true, joint: true };

export interface RandomExperience {
  readonly world: World;
  readonly policies: readonly PolicyDescription[];
  readonly stepCount: number;
  readonly environmentCount: number;
  readonly seed: number;
  /** Seats that nobody learns at, in all environments. */
  readonly absent?: readonly number[];
}

/** A block of all groups that no world gave: a third of the steps ends an episode, in one way or the other. */
export function randomExperience(options: RandomExperience): Experienced {
  const { world, policies, stepCount, environmentCount } = options;
  const random = new RandomStream(keyFrom(options.seed));
  const ends = Uint8Array.from({ length: stepCount * environmentCount }, () => drawEnd(random));
  const rollouts = policies.map((policy) => {
    const { seats } = world.groups[policy.group]!;
    const size = { stepCount, environmentCount, seats, jointSize: jointSizeOf(world) };
    return fillRollout(createRollout(policy, size, NEXT_NEEDS), options, { random, ends });
  });
  return { rollouts, played: new Int32Array(ends.length), simulators: ['invented'] };
}

const drawEnd = (random: RandomStream): number =>
  [STEP_TRUNCATED, STEP_TERMINATED, STEP_CONTINUES, STEP_CONTINUES, STEP_CONTINUES, STEP_CONTINUES][
    random.nextInteger(6)
  ]!;

function fillRollout(
  rollout: Rollout,
  { policies, absent = [] }: RandomExperience,
  { random, ends }: { readonly random: RandomStream; readonly ends: Uint8Array },
): Rollout {
  const { seats, inputs, rewards, next, joint } = rollout;
  const { outputSize } = actionHead(policies.find(({ group }) => group === rollout.group)!.actions);
  for (const array of [inputs, rewards, next!.inputs, joint!, next!.joint!]) {
    array.forEach((_, at) => (array[at] = random.nextNormal()));
  }
  for (const masks of [rollout.masks, next!.masks]) {
    masks?.forEach((_, at) => (masks[at] = at % outputSize === 0 ? 1 : random.nextInteger(2)));
  }
  rollout.actions.forEach((_, at) => (rollout.actions[at] = random.nextInteger(outputSize)));
  rollout.ends.forEach((_, at) => (rollout.ends[at] = ends[Math.floor(at / seats.length)]!));
  rollout.learning.forEach((_, at) => (rollout.learning[at] = Number(!absent.includes(seats[at % seats.length]!))));
  return rollout;
}
