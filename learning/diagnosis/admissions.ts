import type { PoolDecision } from './history.ts';

/** Simulators that a pool took in and the one before did not hold. */
export interface Admission {
  readonly round: number;
  /** At least 1. */
  readonly count: number;
}

/** What pools took in after the start, by round. */
export function admissions(pools: readonly PoolDecision[]): Admission[] {
  return pools.slice(1).flatMap(({ round, entries }, index) => {
    const before = new Set(pools[index]!.entries.map(({ simulatorHash }) => simulatorHash));
    const count = entries.filter(({ simulatorHash }) => !before.has(simulatorHash)).length;
    return count === 0 ? [] : [{ round, count }];
  });
}

/** Rounds after the start at which a pool took in simulators that the one before did not hold. */
export function admissionRounds(pools: readonly PoolDecision[]): number[] {
  return admissions(pools).map(({ round }) => round);
}
