import type { State } from '../mpe/state.ts';
import { steer } from '../mpe/steering.ts';
import { meaningOf, SYMBOL_COUNT, symbolHeard } from './code-books.ts';
import type { Conversation } from './conversation.ts';
import { LANDMARK_COUNT, LISTENER, type ListenerPolicy } from './parameters.ts';
import { PLAIN_CODE_BOOK } from './speaker-policies.ts';

/** Distance (length) from the landmark that is meant at which `lazy` stops. */
const LAZY_DISTANCE = 0.5;
/** What stands for the middle of the landmarks among their indices. */
const MIDDLE = -1;

/**
 * The policies of scripted listeners.
 * - `greedy` goes to the landmark whose index is what it hears, `code_book` to the one that this means in a code book,
 *   and both to the middle of the landmarks as long as they hear nothing. - `lazy` is greedy, but stops within 0.5 of
 *   it. - `centre` goes to the middle of the landmarks, which is the best that somebody can do who hears nothing.
 * - `nearest_landmark` and `fixed_landmark` go to these, whatever they hear. - `noop` stays.
 */
export class ListenerPolicies {
  private readonly state: State;
  private readonly conversation: Conversation;

  constructor(state: State, conversation: Conversation) {
    this.state = state;
    this.conversation = conversation;
  }

  /** The action, 0 … 4. @param codeBook, landmark what the partner has of these */
  decide(policy: ListenerPolicy, environment: number, codeBook: number, landmark: number): number {
    switch (policy) {
      case 'noop':
      case 'random':
        return 0;
      case 'greedy':
        return this.goTo(environment, this.landmarkMeant(environment, PLAIN_CODE_BOOK), 0);
      case 'code_book':
        return this.goTo(environment, this.landmarkMeant(environment, codeBook), 0);
      case 'lazy':
        return this.goTo(environment, this.landmarkMeant(environment, PLAIN_CODE_BOOK), LAZY_DISTANCE);
      case 'centre':
        return this.goTo(environment, MIDDLE, 0);
      case 'nearest_landmark':
        return this.goTo(environment, this.nearestLandmark(environment), 0);
      case 'fixed_landmark':
        return this.goTo(environment, landmark, 0);
    }
  }

  private landmarkMeant(environment: number, codeBook: number): number {
    const symbol = symbolHeard(this.conversation.heard, environment * SYMBOL_COUNT);
    return symbol < 0 ? MIDDLE : meaningOf(symbol, codeBook);
  }

  /** @param enough distance (length) to it at which that will do */
  private goTo(environment: number, landmark: number, enough: number): number {
    const { seatCount, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const self = environment * seatCount + LISTENER;
    const toX = this.coordinate(landmarkX, environment, landmark) - x[self]!;
    const toY = this.coordinate(landmarkY, environment, landmark) - y[self]!;
    const isFar = toX * toX + toY * toY >= enough * enough;
    return steer(isFar ? toX : 0, isFar ? toY : 0, velocityX[self]!, velocityY[self]!);
  }

  /** Of a landmark, or of the middle of all. */
  private coordinate(coordinates: Float64Array, environment: number, landmark: number): number {
    const first = environment * LANDMARK_COUNT;
    if (landmark !== MIDDLE) return coordinates[first + landmark]!;
    let sum = 0;
    for (let index = first; index < first + LANDMARK_COUNT; index += 1) sum += coordinates[index]!;
    return sum / LANDMARK_COUNT;
  }

  private nearestLandmark(environment: number): number {
    const { seatCount, x, y, landmarkX, landmarkY } = this.state;
    const self = environment * seatCount + LISTENER;
    let nearest = 0;
    let nearestSquared = Infinity;
    for (let landmark = 0; landmark < LANDMARK_COUNT; landmark += 1) {
      const deltaX = landmarkX[environment * LANDMARK_COUNT + landmark]! - x[self]!;
      const deltaY = landmarkY[environment * LANDMARK_COUNT + landmark]! - y[self]!;
      const squared = deltaX * deltaX + deltaY * deltaY;
      if (squared >= nearestSquared) continue;
      nearest = landmark;
      nearestSquared = squared;
    }
    return nearest;
  }
}
