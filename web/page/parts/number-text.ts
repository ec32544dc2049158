const DIGITS = 4;

/** A measure in words of numbers: `–` where nothing was measured, NaN and ∞ as they are. Four significant digits, no exponent for usual sizes. */
export function numberText(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return minus(value.toExponential(2));
  if (Number.isInteger(value)) return countText(value);
  return minus(value.toFixed(placesOf(size)));
}

/** How to write values that stand together: all with as many places, unless all are whole. */
export function alikeText(values: readonly (number | null)[]): (value: number | null) => string {
  const sizes = values.filter((value) => value !== null && Number.isFinite(value)).map((value) => Math.abs(value!));
  const size = sizes.reduce((most, each) => Math.max(most, each), 0);
  if (size === 0 || size >= 1e7 || size < 1e-4 || sizes.every(Number.isInteger)) return numberText;
  const places = placesOf(size);
  return (value) => (value === null || !Number.isFinite(value) ? numberText(value) : minus(value.toFixed(places)));
}

const placesOf = (size: number): number => Math.max(0, Math.min(6, DIGITS - 1 - Math.floor(Math.log10(size))));

/** A whole number with its thousands set apart by narrow spaces. */
export function countText(value: number): string {
  return minus(String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f'));
}

/** A count with its noun: `1 run`, `3 runs`. */
export function pluralText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A share as a percentage. */
export function shareText(value: number | null): string {
  return value === null || !Number.isFinite(value)
    ? numberText(value)
    : `${minus((100 * value).toFixed(Math.abs(value) < 0.1 ? 1 : 0))} %`;
}

/** An interval, `[low, high]`; nothing where there is none. */
export function intervalText(interval: readonly [number, number] | null): string {
  return interval === null ? '–' : `[${numberText(interval[0])}, ${numberText(interval[1])}]`;
}

/** A time span in its two largest units. */
export function durationText(seconds: number | null): string {
  if (seconds === null || !Number.isFinite(seconds)) return numberText(seconds);
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.round((seconds % 86_400) / 3600)} h`;
}

/** A moment as the reader's clock shows it. */
export function timeText(iso: string | null): string {
  return iso === null ? '–' : new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A name of a column in words: `heldout_return` is "held-out return". */
export function metricText(metric: string): string {
  return metric.replaceAll('_', ' ').replace('heldout', 'held-out');
}

const minus = (text: string): string => text.replace('-', '−');
