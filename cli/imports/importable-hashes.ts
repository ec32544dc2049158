import { startOf } from '../../learning/recordings/recorded-starts.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { contentHash } from '../../specification/identity.ts';

/** Hashes of all in some simulators that may have been imported: policies that hold seats, and starts. */
export function importableHashes(simulators: readonly SimulatorData[]): string[] {
  const hashes = simulators.flatMap((simulator) => {
    const policies = Object.values(simulator.partners).flatMap((partner) =>
      'artifact' in partner ? [partner.artifact as string] : [],
    );
    const start = startOf(simulator);
    return start === undefined ? policies : [...policies, contentHash(start)];
  });
  return [...new Set(hashes)];
}
