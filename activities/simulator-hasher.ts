import type { SimulatorData, World } from '../simulators/contract.ts';
import { simulatorHash } from '../specification/identity.ts';

/** The hash of a simulator's content in one world. */
export type SimulatorHasher = (simulator: SimulatorData) => string;

/** Hashes each simulator once: a decision asks for those of fifty candidates and entries three times each. */
export function createSimulatorHasher(world: World): SimulatorHasher {
  const known = new Map<SimulatorData, string>();
  return (simulator) => {
    const hash = known.get(simulator) ?? simulatorHash(world, simulator);
    known.set(simulator, hash);
    return hash;
  };
}
