import type { ColumnKind } from '../../infra/postgres/export-table.ts';
import { jsonText } from '../table-formats/json-text.ts';

/** A number with as many digits as it takes to read the same double back; NaN and infinities by their names. */
export function numberText(value: number): string {
  // Many readers take `-0` for a whole number, which has no sign.
  return Object.is(value, -0) ? '-0.0' : String(value);
}

const MICROS_OF_MS = 1000;

/** A moment in UTC after ISO 8601, with all its digits. @param micros microseconds since 1970 */
export function momentText(micros: number): string {
  const ms = Math.floor(micros / MICROS_OF_MS);
  const rest = String(micros - ms * MICROS_OF_MS).padStart(3, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}

/** What is not null in a column, as text that loses nothing. */
export function cellText(kind: ColumnKind, value: unknown): string {
  if (kind === 'json') return jsonText(value);
  if (kind === 'timestamp') return momentText(value as number);
  return typeof value === 'number' ? numberText(value) : String(value);
}
