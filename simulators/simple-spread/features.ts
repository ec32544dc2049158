import type { StateFeature } from '../contract.ts';
import { nearestDistance } from '../mpe/nearest.ts';
import type { State } from '../mpe/state.ts';

/** What histograms of visited states are made of; about 95 % of a random player's positions lie within the range. */
export const FEATURES: readonly StateFeature[] = [
  { name: 'x', low: -1.5, high: 1.5, bins: 12 },
  { name: 'y', low: -1.5, high: 1.5, bins: 12 },
  { name: 'nearest_landmark', low: 0, high: 2, bins: 10 },
  { name: 'nearest_agent', low: 0, high: 2, bins: 10 },
];

/** @param out shape [B N F], features in the order of `FEATURES` */
export function observeFeatures(state: State, out: Float64Array): void {
  const { environmentCount, seatCount, x, y, landmarkX, landmarkY } = state;
  let next = 0;
  for (let agent = 0; agent < environmentCount * seatCount; agent += 1) {
    const first = agent - (agent % seatCount);
    out[next++] = x[agent]!;
    out[next++] = y[agent]!;
    out[next++] = nearestDistance(x[agent]!, y[agent]!, landmarkX, landmarkY, first, first + seatCount, -1);
    out[next++] = nearestDistance(x[agent]!, y[agent]!, x, y, first, first + seatCount, agent);
  }
}
