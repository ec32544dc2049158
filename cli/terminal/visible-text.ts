/**
 * What a terminal would take as an order instead of showing it: control characters (C0 without tab and line feed, DEL, C1), what
 * turns the direction of writing, and separators of lines that end no line of a file.
 */
const ORDERS = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
/** Bold, dim, red, green and their ends: the colours that we use ourselves. */
const COLOR = '\\u001b\\[(?:1|2|22|31|32|39)m';
/** Of CSV. */
const LINE_END = '\\r\\n';

const LINES = new RegExp(`${LINE_END}|[${ORDERS}]`, 'g');
const COLORED_LINES = new RegExp(`${LINE_END}|${COLOR}|[${ORDERS}]`, 'g');
const CELL = new RegExp(`[\\t\\n${ORDERS}]`, 'g');
const COLORED_CELL = new RegExp(`${COLOR}|[\\t\\n${ORDERS}]`, 'g');

export interface VisibleOptions {
  /** Whether our own colours may stay, because they are shown. */
  readonly hasColors?: boolean;
}

/** Text as it may go to a terminal or into a file that people read: each order is replaced by a sign for it. */
export function visibleText(text: string, { hasColors = false }: VisibleOptions = {}): string {
  return withSigns(text, hasColors ? COLORED_LINES : LINES);
}

/** The same on one line, as in a table: ends of lines and tabs are replaced as well. */
export function visibleCell(text: string, { hasColors = false }: VisibleOptions = {}): string {
  return withSigns(text, hasColors ? COLORED_CELL : CELL);
}

/** Replaces single characters; what is longer is allowed. */
function withSigns(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => (found.length > 1 ? found : signFor(found)));
}

/** `␛` for ESC; `<U+202E>` where Unicode has no sign. */
function signFor(order: string): string {
  const code = order.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
