import type { World } from '../../simulators/contract.ts';
import type { ActingMember } from './cast.ts';
import { jointSizeOf } from './joint-observer.ts';
import { createRollout, linkSteps, type Rollout } from './rollout-buffer.ts';

// Letters: T steps of a block, B environments.

/** One block of a turn: what all environments showed, and what was done in them. Each is written by whoever plays it. */
export interface TurnBlock {
  /** What the member in the learners' seats learns from, by group of seats. */
  readonly rollouts: readonly Rollout[];
  /** What the partner learns from. */
  readonly partnerRollouts: readonly Rollout[];
  /** Shape [T B]: the simulator of each step, by its place in the pool. */
  readonly played: Int32Array;
}

export interface TurnBlockOptions {
  readonly member: ActingMember;
  readonly partner: ActingMember | null;
  readonly environmentCount: number;
  readonly stepCount: number;
  readonly world: Pick<World, 'groups'>;
  /** Whether other threads write into it, too. */
  readonly isShared: boolean;
}

export function createTurnBlock(options: TurnBlockOptions): TurnBlock {
  const { member, partner, world, environmentCount, stepCount, isShared } = options;
  const memory = isShared ? SharedArrayBuffer : ArrayBuffer;
  const jointSize = jointSizeOf(world);
  const rolloutsOf = ({ learner, acting }: ActingMember): Rollout[] =>
    learner.policies
      .map((policy) => ({ policy, seats: acting.driven[policy.group]! }))
      .filter(({ seats }) => seats.length > 0)
      .map(({ policy, seats }) =>
        createRollout(policy, { stepCount, environmentCount, seats, jointSize, memory }, learner.needs),
      );
  return {
    rollouts: rolloutsOf(member),
    partnerRollouts: partner === null ? [] : rolloutsOf(partner),
    played: new Int32Array(new memory(stepCount * environmentCount * Int32Array.BYTES_PER_ELEMENT)),
  };
}

/** What is known of a block only when all its steps are there. */
export function finishTurnBlock({ rollouts, partnerRollouts }: TurnBlock): void {
  for (const rollout of [...rollouts, ...partnerRollouts]) linkSteps(rollout);
}
