import { isRecord, type Path } from './path.ts';

/** A simulator that something names. */
export interface SimulatorReference {
  readonly name: string;
  readonly path: Path;
}

/** Options of a strategy that name simulators: those called `simulator` and `simulators`, at any depth. */
export function strategyReferences(strategy: unknown): SimulatorReference[] {
  return referencesIn(strategy, ['strategy']);
}

function referencesIn(value: unknown, path: Path): SimulatorReference[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => referencesIn(item, [...path, index]));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    if (key === 'simulator' && typeof inner === 'string') return [{ name: inner, path: at }];
    return key === 'simulators' ? namesIn(inner, at) : referencesIn(inner, at);
  });
}

/** @param value names of simulators, or a name */
export function namesIn(value: unknown, path: Path): SimulatorReference[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item, index) => (typeof item === 'string' ? [{ name: item, path: [...path, index] }] : []));
}
