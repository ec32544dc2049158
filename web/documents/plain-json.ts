/**
 * JSON of a value, with the numbers that JSON does not have as the strings "NaN", "Infinity", "-Infinity". Numbers are
 * written with as many digits as it takes to read the same double back.
 */
export function plainJson(value: unknown, indent = 0): string {
  return JSON.stringify(value, (_key, each: unknown) => plain(each), indent);
}

function plain(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
