import type { StateFeature } from '../contract.ts';
import type { State } from '../mpe/state.ts';
import { SYMBOL_COUNT, symbolHeard } from './code-books.ts';
import type { Conversation } from './conversation.ts';
import { goalDistanceSquared } from './rewards.ts';

/**
 * What histograms of visited states are made of. `heard_over_goal` tells code books apart: how many symbols after that of
 * the goal the one is that is heard, counted round; −1 where nothing is heard.
 */
export const FEATURES: readonly StateFeature[] = [
  { name: 'x', low: -1.5, high: 1.5, bins: 12 },
  { name: 'y', low: -1.5, high: 1.5, bins: 12 },
  { name: 'goal_distance', low: 0, high: 2.5, bins: 10 },
  { name: 'heard_over_goal', low: -1.5, high: 2.5, bins: 4 },
];

/** @param out shape [B N F], features in the order of `FEATURES`; the last two are of the listener for both seats */
export function observeFeatures(state: State, conversation: Conversation, out: Float64Array): void {
  const { environmentCount, seatCount, x, y } = state;
  let next = 0;
  for (let environment = 0; environment < environmentCount; environment += 1) {
    const distance = Math.sqrt(goalDistanceSquared(state, conversation, environment));
    const heard = symbolHeard(conversation.heard, environment * SYMBOL_COUNT);
    const shift = heard < 0 ? -1 : (heard - conversation.goal[environment]! + SYMBOL_COUNT) % SYMBOL_COUNT;
    for (let agent = environment * seatCount; agent < (environment + 1) * seatCount; agent += 1) {
      out[next++] = x[agent]!;
      out[next++] = y[agent]!;
      out[next++] = distance;
      out[next++] = shift;
    }
  }
}
