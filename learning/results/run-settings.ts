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

/** The settings of a run, part by part. */
export function settingsTree(variant: ResolvedVariant, seed: number): Record<string, unknown> {
  const parts = PARTS.map((part) => [part, (variant as Partial<ResolvedVariant>)[part]] as const);
  return { seed, ...Object.fromEntries(parts.filter(([, value]) => value !== undefined)) };
}

/**
 * The same as dotted paths and values, as text. Lists are JSON.
 * @returns e.g. `[['seed', '0'], ['algorithm.name', 'ippo'], ['algorithm.hidden_sizes', '[64,64]'], …]`
 */
export function settingsOf(variant: ResolvedVariant, seed: number): [path: string, value: string][] {
  return Object.entries(settingsTree(variant, seed)).flatMap(([part, value]) => flat(part, value));
}

function flat(path: string, value: unknown): [path: string, value: string][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) {
    return [[path, typeof value === 'string' ? value : JSON.stringify(value)]];
  }
  return Object.entries(value).flatMap(([key, inner]) => flat(`${path}.${key}`, inner));
}
