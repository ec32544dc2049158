/** In an array literal the driver would write NaN and infinities as JSON does, as null; as text Postgres reads them. */
export function floatText(value: number): string {
  return String(value);
}
