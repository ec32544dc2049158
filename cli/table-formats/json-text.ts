import { plainJson } from '../../web/documents/plain-json.ts';

/** What JSON allows in strings, and terminals take as orders; the other control characters are escaped already. */
const ORDERS = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON of a value as `plainJson` writes it, in which what could steer a terminal is escaped. */
export function jsonText(value: unknown, indent = 0): string {
  return plainJson(value, indent).replace(ORDERS, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
