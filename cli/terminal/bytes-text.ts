const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** An amount of bytes for people: `3 B`, `1.5 MiB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}
