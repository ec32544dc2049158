import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';

/** What of a variant somebody compares runs by; simulators, which may be many and large, are told by their names alone. */
const PARTS = [
  'family',
  'family_options',
  'algorithm',
  'strategy',
  'budget',
  'evaluation',
  'randomization',
  'panels',
] as const;

/**
 * The settings of a run as trackers show them: a dotted path and its value, as text, each. Lists are JSON.
 * @returns e.g. `[['seed', '0'], ['algorithm.name', 'ippo'], ['algorithm.hidden_sizes', '[64,64]'], …]`
 */
export function settingsOf(variant: ResolvedVariant, seed: number): [path: string, value: string][] {
  const parts = PARTS.flatMap((part) => flat(part, (variant as Partial<ResolvedVariant>)[part]));
  return [['seed', String(seed)], ...parts];
}

function flat(path: string, value: unknown): [path: string, value: string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, inner]) => flat(`${path}.${key}`, inner));
}
