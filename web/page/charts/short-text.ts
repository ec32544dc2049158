const UNITS = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** A number at an axis, as short as it can be. */
export function shortText(value: number): string {
  const unit = UNITS.find(([size]) => Math.abs(value) >= size);
  if (unit === undefined) return String(Number(value.toPrecision(6))).replace('-', '−');
  return `${String(Number((value / unit[0]).toPrecision(4))).replace('-', '−')}${unit[1]}`;
}
