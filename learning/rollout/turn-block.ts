import type { ActingMember } from './cast.ts';
import { createRollout, linkValues, type Rollout } from './rollout-buffer.ts';

// Letters: T steps of a block, B environments.

/** One block of a turn: what all environments showed, and what was done in them. Each is written by whoever plays it. */
export interface TurnBlock {
  /** What the member in the learners' seats learns from, by group of seats. */
  readonly rollouts: readonly Rollout[];
  /** What the partner learns from. */
  readonly partnerRollouts: readonly Rollout[];
  /** Shape [T B]: the simulator of each step; empty unless episodes are scored. */
  readonly played: Int32Array;
}

export interface TurnBlockOptions {
  readonly member: ActingMember;
  readonly partner: ActingMember | null;
  readonly environmentCount: number;
  readonly stepCount: number;
  readonly scoresEpisodes: boolean;
  /** Whether other threads write into it, too. */
  readonly isShared: boolean;
}

export function createTurnBlock(options: TurnBlockOptions): TurnBlock {
  const { member, partner, environmentCount, stepCount, scoresEpisodes } = options;
  const memory = options.isShared ? SharedArrayBuffer : ArrayBuffer;
  const rolloutsOf = ({ learner, acting }: ActingMember): Rollout[] =>
    learner.policies
      .map(({ group, inputSize }) => ({ group, inputSize, seatCount: acting.driven[group]!.length }))
      .filter(({ seatCount }) => seatCount > 0)
      .map(({ group, inputSize, seatCount }) =>
        createRollout(group, stepCount, environmentCount * seatCount, inputSize, memory),
      );
  const playedCount = scoresEpisodes ? stepCount * environmentCount : 0;
  return {
    rollouts: rolloutsOf(member),
    partnerRollouts: partner === null ? [] : rolloutsOf(partner),
    played: new Int32Array(new memory(playedCount * Int32Array.BYTES_PER_ELEMENT)),
  };
}

/** What is known of a block only when all its steps are there. */
export function finishTurnBlock({ rollouts, partnerRollouts }: TurnBlock): void {
  for (const rollout of [...rollouts, ...partnerRollouts]) linkValues(rollout);
}
