import type { Drawing, View } from '../drawing.ts';
import type { StateFeature } from '../contract.ts';
import type { BridgedState } from './simulator-data.ts';

/** Share of the smaller side of the view. */
const RADIUS_SHARE = 0.04;
/** Seats of a world with a single feature stand one above the other, so far apart as shares of its range. */
const ROW_SHARE = 0.1;

/** The plane of the first two features; where there is one alone, seats have rows of their own. */
export function viewOf([x, y]: readonly StateFeature[], seatCount: number): View {
  const width = x!.high - x!.low;
  if (y === undefined) return { left: x!.low, bottom: 0, width, height: width * ROW_SHARE * (seatCount + 1) };
  return { left: x!.low, bottom: y.low, width, height: y.high - y.low };
}

/** Every seat as a disc where its first two features are: nothing else is known of a bridged world. */
export function drawState(view: View, { features }: BridgedState): Drawing {
  const radius = RADIUS_SHARE * Math.min(view.width, view.height);
  return {
    shapes: features.map(([x, y], seat) => ({
      id: `seat-${seat}`,
      role: 'seat',
      kind: 'circle',
      radius,
      seat,
      label: String(seat),
      x: x!,
      y: y ?? view.width * ROW_SHARE * (seat + 1),
    })),
  };
}
