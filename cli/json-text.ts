/** What JSON allows in strings, and terminals take as orders; the other control characters are escaped already. */
const ORDERS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * JSON of a value, with the numbers that JSON does not have as the strings "NaN", "Infinity", "-Infinity". Numbers are
 * written with as many digits as it takes to read the same double back. What could steer a terminal is escaped.
 */
export function jsonText(value: unknown, indent = 0): string {
  return JSON.stringify(value, (_key, each: unknown) => plain(each), indent).replace(ORDERS, escaped);
}

function plain(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
