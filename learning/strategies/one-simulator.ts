import { ThawError } from '../../schemas/errors.ts';
import type { Evidence, PoolEntry, Strategy, StrategyOptions } from './contract.ts';

/** Options of the strategies that train on a single simulator. */
interface OneSimulatorOptions extends StrategyOptions {
  readonly simulator: string;
}

/** The pool of a strategy that trains on the single simulator its options name. */
export function oneSimulator(evidence: Evidence<OneSimulatorOptions>, reason: string): PoolEntry {
  const found = evidence.simulators.find((entry) => entry.name === evidence.options.simulator);
  if (found === undefined) {
    throw new ThawError(
      'DEFECT_INVARIANT',
      `a checked strategy names the unknown simulator ${evidence.options.simulator}`,
    );
  }
  return { ...found, weight: 1, parents: [], reason, randomization: {}, learns: true };
}

/** The check of those strategies: the simulator exists and is none of the held-out ones. */
export function unknownSimulator(evidence: Evidence<OneSimulatorOptions>): ReturnType<Strategy['check']> {
  if (evidence.simulators.some((entry) => entry.name === evidence.options.simulator)) return [];
  return [
    {
      key: 'simulator',
      problem: `"${evidence.options.simulator}" is no simulator that may be trained on`,
      remedy: `Name one of ${evidence.simulators.map((entry) => entry.name).join(', ')}; held-out simulators are never trained on.`,
    },
  ];
}
