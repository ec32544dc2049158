import type { SimulatorRecord } from '../infra/postgres/pool-rows.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { simulatorHash } from '../specification/identity.ts';

/** A simulator as it is stored: its content under its hash, with the world that gives it meaning. */
export function simulatorRecord(
  world: World,
  simulator: SimulatorData,
  hash = simulatorHash(world, simulator),
): SimulatorRecord {
  return {
    hash,
    family: world.family,
    familyVersion: world.version,
    familyOptions: world.options,
    simulator,
  };
}
