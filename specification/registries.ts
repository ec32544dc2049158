import { ALGORITHMS } from '../learning/algorithms/registry.ts';
import type { Algorithm } from '../learning/algorithms/contract.ts';
import type { Strategy } from '../learning/strategies/contract.ts';
import { commandTrainer } from '../learning/trainers/command.ts';
import { STRATEGIES } from '../learning/strategies/registry.ts';
import type { Family } from '../simulators/contract.ts';
import { FAMILIES } from '../simulators/registry.ts';

/** What the names in a spec may mean. */
export interface Registries {
  readonly families: Readonly<Record<string, Family>>;
  readonly algorithms: Readonly<Record<string, Algorithm>>;
  readonly strategies: Readonly<Record<string, Strategy>>;
  /** Devices that can be computed on here. */
  readonly devices: readonly string[];
}

/** With the device that every installation has; `usableDevices` of infra/executors.ts tells what else it can use. */
export const DEFAULT_REGISTRIES: Registries = {
  families: { ...FAMILIES },
  algorithms: { ...ALGORITHMS, [commandTrainer.name]: commandTrainer },
  strategies: STRATEGIES,
  devices: ['cpu'],
};

/**
 * Adds families that reach outside of this process, which are made where programs are composed. Called once by a program,
 * before it reads a spec.
 */
export function addFamilies(families: readonly Family[]): void {
  Object.assign(DEFAULT_REGISTRIES.families, Object.fromEntries(families.map((family) => [family.name, family])));
}
