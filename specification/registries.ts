import { ALGORITHMS } from '../learning/algorithms/registry.ts';
import type { Algorithm } from '../learning/algorithms/contract.ts';
import type { Strategy } from '../learning/strategies/contract.ts';
import { STRATEGIES } from '../learning/strategies/registry.ts';
import type { Family } from '../simulators/contract.ts';
import { FAMILIES } from '../simulators/registry.ts';

/** What the names in a spec may mean. */
export interface Registries {
  readonly families: Readonly<Record<string, Family>>;
  readonly algorithms: Readonly<Record<string, Algorithm>>;
  readonly strategies: Readonly<Record<string, Strategy>>;
  /** Devices that some executor of this program computes on. */
  readonly devices: readonly string[];
}

export const DEFAULT_REGISTRIES: Registries = {
  families: FAMILIES,
  algorithms: ALGORITHMS,
  strategies: STRATEGIES,
  devices: ['cpu'],
};
