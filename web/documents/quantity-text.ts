const SECOND_MS = 1000;
const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** A duration for people, in its two largest units: `3 h 20 min`, `45 s`, `0.4 s`. @param seconds not negative */
export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const first = UNITS.findIndex(([, size]) => whole >= size);
  const [unit, size] = UNITS[first]!;
  const next = UNITS[first + 1];
  const amount = Math.floor(whole / size);
  const rest = next === undefined ? 0 : Math.floor((whole % size) / next[1]);
  return next === undefined || rest === 0 ? `${amount} ${unit}` : `${amount} ${unit} ${rest} ${next[0]}`;
}

/** A number with spaces between groups of three digits: `1 024 000`. */
export function countText(count: number): string {
  return String(Math.round(count)).replace(/(?<=\d)(?=(\d{3})+$)/g, ' ');
}

/** A measured value in a table, with two decimals; `–` where nothing was measured. */
export function measureText(value: number | null): string {
  if (value === null) return '–';
  const isTiny = value !== 0 && Math.abs(value) < 0.01;
  return isTiny ? value.toPrecision(2) : Number.isFinite(value) ? value.toFixed(2) : String(value);
}

/** A count with its noun: `1 run`, `3 runs`. */
export function pluralText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A moment as tables show it, in UTC, to the second. */
export function timeText(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} Z`;
}

/** How long ago a moment was. */
export function ageText(moment: Date, nowMs: number): string {
  return `${durationText(Math.max(0, nowMs - moment.getTime()) / SECOND_MS)} ago`;
}
