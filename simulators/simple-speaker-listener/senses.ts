import type { ObservationPart } from '../contract.ts';
import type { Sense } from '../mpe/observation.ts';
import { placeParts } from '../mpe/sight.ts';
import type { State } from '../mpe/state.ts';
import { SYMBOL_COUNT } from './code-books.ts';
import type { Conversation } from './conversation.ts';
import { LANDMARK_COUNT, LISTENER, type Role, SPEAKER } from './parameters.ts';

/** Red, green and blue of the landmarks. @source mpe2/simple_speaker_listener: Scenario.reset_world */
const GOAL_COLOURS: readonly (readonly number[])[] = [
  [0.65, 0.15, 0.15],
  [0.15, 0.65, 0.15],
  [0.15, 0.15, 0.65],
];
const COLOUR_SIZE = 3;

export const OBSERVATIONS: Readonly<Record<Role, readonly ObservationPart[]>> = {
  speaker: placeParts([{ name: 'goal_colour', length: COLOUR_SIZE, unit: '1' }]),
  listener: placeParts([
    { name: 'own_velocity', length: 2, unit: 'length/s' },
    { name: 'landmarks', length: 2 * LANDMARK_COUNT, unit: 'length' },
    { name: 'communication', ofOthers: true, length: SYMBOL_COUNT, unit: '1' },
  ]),
};

/** The speaker sees the colour of the goal, and nothing else. */
export class SpeakerSense implements Sense {
  readonly seats = [SPEAKER];
  readonly size = COLOUR_SIZE;
  readonly noisySize = COLOUR_SIZE;
  private readonly conversation: Conversation;

  constructor(conversation: Conversation) {
    this.conversation = conversation;
  }

  sense(environment: number, _seat: number, out: Float32Array | Float64Array, at: number): void {
    const colour = GOAL_COLOURS[this.conversation.goal[environment]!]!;
    for (let index = 0; index < COLOUR_SIZE; index += 1) out[at + index] = colour[index]!;
  }
}

/** The listener sees its velocity and where landmarks are, and hears; what it hears has a noise of its own. */
export class ListenerSense implements Sense {
  readonly seats = [LISTENER];
  readonly size = 2 + 2 * LANDMARK_COUNT + SYMBOL_COUNT;
  readonly noisySize = 2 + 2 * LANDMARK_COUNT;
  private readonly state: State;
  private readonly conversation: Conversation;

  constructor(state: State, conversation: Conversation) {
    this.state = state;
    this.conversation = conversation;
  }

  sense(environment: number, seat: number, out: Float32Array | Float64Array, at: number): void {
    const { seatCount, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const { heard } = this.conversation;
    const self = environment * seatCount + seat;
    let next = at;
    out[next++] = velocityX[self]!;
    out[next++] = velocityY[self]!;
    const endLandmark = (environment + 1) * LANDMARK_COUNT;
    for (let landmark = environment * LANDMARK_COUNT; landmark < endLandmark; landmark += 1) {
      out[next++] = landmarkX[landmark]! - x[self]!;
      out[next++] = landmarkY[landmark]! - y[self]!;
    }
    const endSymbol = (environment + 1) * SYMBOL_COUNT;
    for (let symbol = environment * SYMBOL_COUNT; symbol < endSymbol; symbol += 1) out[next++] = heard[symbol]!;
  }
}
