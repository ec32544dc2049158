import type { ResolvedAlgorithm } from '../schemas/resolved-experiment.ts';

/** A key that came after a version of the format, which its documents could not know of. */
interface LaterKey {
  readonly afterSpecVersion: number;
  /** What results had been before there was the key. */
  readonly default: string | number | boolean | null;
}

/** Algorithm → parameter. An entry stays for ever: without it, results of the time before would be computed again. */
export const LATER_KEYS: Readonly<Record<string, Readonly<Record<string, LaterKey>>>> = {
  ippo: { gradient_grain: { afterSpecVersion: 1, default: null } },
};

/** The parameters without keys that are newer than the document and stand at their default: they are what it always was. */
export function withoutLaterDefaults(algorithm: ResolvedAlgorithm, specVersion: number): ResolvedAlgorithm {
  const later = LATER_KEYS[algorithm.name] ?? {};
  const isKnown = ([key, value]: [string, unknown]): boolean => {
    const entry = Object.hasOwn(later, key) ? later[key] : undefined;
    return entry === undefined || specVersion > entry.afterSpecVersion || value !== entry.default;
  };
  return Object.fromEntries(Object.entries(algorithm).filter(isKnown)) as ResolvedAlgorithm;
}
