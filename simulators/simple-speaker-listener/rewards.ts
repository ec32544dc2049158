import type { Judge } from '../mpe/batch.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import type { Conversation } from './conversation.ts';
import { LANDMARK_COUNT, LISTENER } from './parameters.ts';

/** The listener has arrived when it is nearer to the goal than this (length), as a landmark of simple_spread is covered. */
export const ARRIVED_DISTANCE = 0.1;

/**
 * Rewards after a step. With d the distance of the listener to the goal, both get
 *
 *     −squared_distance · d² − distance · d + (arrival where d < 0.1)
 *
 * Success is the state in which the listener has arrived.
 *
 * @source mpe2/simple_speaker_listener/simple_speaker_listener.py: Scenario.reward
 */
export class TalkJudge implements Judge {
  private readonly state: State;
  private readonly conversation: Conversation;
  private readonly squaredDistance: Float64Array;
  private readonly distance: Float64Array;
  private readonly arrival: Float64Array;

  constructor(state: State, columns: ParameterColumns, conversation: Conversation) {
    this.state = state;
    this.conversation = conversation;
    this.squaredDistance = columns.column('rewards.squared_distance');
    this.distance = columns.column('rewards.distance');
    this.arrival = columns.column('rewards.arrival');
  }

  judge(rewards: Float64Array, success: Uint8Array): void {
    const { environmentCount, seatCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const squared = goalDistanceSquared(this.state, this.conversation, environment);
      const distance = Math.sqrt(squared);
      const arrived = distance < ARRIVED_DISTANCE ? 1 : 0;
      const cost = this.squaredDistance[environment]! * squared + this.distance[environment]! * distance;
      const reward = this.arrival[environment]! * arrived - cost;
      rewards.fill(reward, environment * seatCount, (environment + 1) * seatCount);
      success[environment] = arrived;
    }
  }

  begin(environment: number, success: Uint8Array): void {
    const distance = Math.sqrt(goalDistanceSquared(this.state, this.conversation, environment));
    success[environment] = distance < ARRIVED_DISTANCE ? 1 : 0;
  }

  /** Nothing: where the listener is can be seen, and the goal is told by others. */
  told(): Readonly<Record<string, never>> {
    return {};
  }
}

/** Squared distance of the listener to the goal. */
export function goalDistanceSquared(state: State, { goal }: Conversation, environment: number): number {
  const listener = environment * state.seatCount + LISTENER;
  const landmark = environment * LANDMARK_COUNT + goal[environment]!;
  const deltaX = state.x[listener]! - state.landmarkX[landmark]!;
  const deltaY = state.y[listener]! - state.landmarkY[landmark]!;
  return deltaX * deltaX + deltaY * deltaY;
}
