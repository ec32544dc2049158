/** Where a value lies between the lowest and the highest, in [0, 1]; null where it lies nowhere. */
export function shareOf(value: number | null, { low, high }: Extent): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return high === low ? 0.5 : (value - low) / (high - low);
}

export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** The lowest and highest of the finite values; null where there is none. */
export function extentOf(values: readonly (number | null)[]): Extent | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? null : { low, high };
}

/** Shares of the scale from which on the text changes between black and white, so that its contrast stays above 4.5. */
const LIGHT_TURN = 0.725;
const DARK_TURN = 0.49;

/** The class and style that colour a cell; none for a cell without a place on the scale. */
export function heatLook(share: number | null): { class: string; style?: Record<string, string> } {
  if (share === null) return { class: 'heat-none' };
  const turns = [share > LIGHT_TURN && 'over-light', share > DARK_TURN && 'over-dark'].filter(Boolean);
  return { class: ['heat', ...turns].join(' '), style: { '--share': `${(100 * share).toFixed(1)}%` } };
}
