import type { StateFeature } from '../contract.ts';
import { nearestDistance } from '../mpe/nearest.ts';
import type { State } from '../mpe/state.ts';
import type { Seating } from './parameters.ts';

/** What histograms of visited states are made of; about 95 % of a random player's positions lie within the range. */
export const FEATURES: readonly StateFeature[] = [
  { name: 'x', low: -1.5, high: 1.5, bins: 12 },
  { name: 'y', low: -1.5, high: 1.5, bins: 12 },
  { name: 'speed', low: 0, high: 1.3, bins: 6 },
  { name: 'nearest_opponent', low: 0, high: 2, bins: 10 },
];

/** @param out shape [B N F], features in the order of `FEATURES`; opponents are the agents of the other role */
export function observeFeatures(state: State, { adversaryCount }: Seating, out: Float64Array): void {
  const { environmentCount, seatCount, x, y, velocityX, velocityY } = state;
  let next = 0;
  for (let agent = 0; agent < environmentCount * seatCount; agent += 1) {
    const first = agent - (agent % seatCount);
    const prey = first + adversaryCount;
    const from = agent < prey ? prey : first;
    const end = agent < prey ? first + seatCount : prey;
    out[next++] = x[agent]!;
    out[next++] = y[agent]!;
    out[next++] = Math.sqrt(velocityX[agent]! ** 2 + velocityY[agent]! ** 2);
    out[next++] = nearestDistance(x[agent]!, y[agent]!, x, y, from, end, -1);
  }
}
