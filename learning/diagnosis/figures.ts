/** A number in a sentence, in three significant digits: `0.75`, `134`, `−12.3`. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(3)));
}

/** A share in a sentence: `75 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** A count with its noun: `1 run`, `3 runs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
