import { z } from 'zod';
import type { Parameter, SimulatorData } from './contract.ts';

// P parameters.

/** One number of a simulator: its default, its legal range, its unit, and what it does. */
export interface NumberEntry {
  readonly default: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly integer?: true;
  readonly summary: string;
}

export type NumberEntries = Readonly<Record<string, NumberEntry>>;

/** The entry as a parameter of the vector. */
export function describeEntry(path: string, entry: NumberEntry): Parameter {
  const { low, high, unit, summary } = entry;
  return { path, kind: entry.integer ? 'integer' : 'real', low, high, unit, summary };
}

/** The entries below one path, in their order. */
export function describeEntries(prefix: string, entries: NumberEntries): Parameter[] {
  return Object.entries(entries).map(([name, entry]) => describeEntry(`${prefix}.${name}`, entry));
}

/** Schema of one number, without its default. */
export function boundedNumber(entry: NumberEntry): z.ZodNumber {
  const base = entry.integer ? z.int() : z.number();
  return base.min(entry.low).max(entry.high).describe(`${entry.summary} Unit: ${entry.unit}.`);
}

/** Shape of an object that holds the entries, each with its default. */
export function shapeOfEntries<Name extends string>(
  entries: Readonly<Record<Name, NumberEntry>>,
): Record<Name, z.ZodDefault<z.ZodNumber>> {
  const shape = Object.entries<NumberEntry>(entries).map(([name, entry]) => [
    name,
    boundedNumber(entry).default(entry.default),
  ]);
  return Object.fromEntries(shape) as Record<Name, z.ZodDefault<z.ZodNumber>>;
}

function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], data);
}

/**
 * The parameter vector of a simulator, shape [P]. A choice becomes the place of its name, 0 when the simulator has none.
 * @param simulator with every default written out
 * @param absentValue what a number is that the simulator does not have, such as one of a partner that is not there
 */
export function compileParameters(
  parameters: readonly Parameter[],
  simulator: SimulatorData,
  absentValue: (path: string) => number,
): Float64Array {
  return Float64Array.from(parameters, ({ path, choices }) => {
    const value = valueAt(simulator, path);
    if (typeof value === 'number') return value;
    if (choices !== undefined) return Math.max(0, choices.indexOf(String(value)));
    return absentValue(path);
  });
}
