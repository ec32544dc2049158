import { formatPath, isRecord, type Path } from './path.ts';

/** A place where two documents say something else; undefined where one of them says nothing. */
export interface Difference {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** Longer values are cut: a difference is told in a line. */
const VALUE_LENGTH_MAX = 60;

/** Where two documents differ, in the order of the first. Arrays are compared as a whole, and the order of keys is no difference. */
export function differences(before: unknown, after: unknown, path: Path = []): Difference[] {
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  return valueText(before) === valueText(after) ? [] : [{ path, before, after }];
}

/** As people read it: `budget.rounds 5 → 8`. */
export function differenceText({ path, before, after }: Difference): string {
  return `${formatPath(path)} ${shortText(before)} → ${shortText(after)}`;
}

function shortText(value: unknown): string {
  const text = valueText(value);
  return text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 1)}…`;
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value, withSortedKeys);
}

/** Objects inside of arrays are equal whatever the order of their keys. */
function withSortedKeys(_key: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
