import type { PoolDecision } from './history.ts';

/** Rounds after the start at which a pool took in simulators that the one before did not hold. */
export function admissionRounds(pools: readonly PoolDecision[]): number[] {
  return pools.slice(1).flatMap(({ round, entries }, index) => {
    const before = new Set(pools[index]!.entries.map(({ simulatorHash }) => simulatorHash));
    return entries.some(({ simulatorHash }) => !before.has(simulatorHash)) ? [round] : [];
  });
}
