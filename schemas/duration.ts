import { z } from 'zod';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^([1-9][0-9]{0,5})([smh])$/;

/** A duration as specs write it: a whole number and a unit, e.g. "90s", "10m", "6h". */
export const durationSchema = z.string().regex(DURATION).meta({ title: 'a duration such as "90s", "10m" or "6h"' });

/**
 * @param text what `durationSchema` accepts
 * @returns milliseconds
 */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  if (amount === undefined || unit === undefined) throw new RangeError(`"${text}" is no duration such as "10m"`);
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
