import { ThawError } from '../../schemas/errors.ts';
import type { Evidence, PoolEntry, Strategy, StrategyOptions } from './contract.ts';

/** Options of the strategies that train on a single simulator. */
interface OneSimulatorOptions extends StrategyOptions {
  readonly simulator: string;
}

/** The pool of a strategy that trains on a single simulator, by its name. */
export function oneSimulator({ simulators }: Evidence, name: string, reason: string): PoolEntry {
  const found = simulators.find((entry) => entry.name === name);
  if (found === undefined) {
    throw new ThawError('DEFECT_INVARIANT', `a checked strategy names the unknown simulator ${name}`);
  }
  return { ...found, weight: 1, parents: [], reason, randomization: {}, learns: true };
}

/** The check of the option `simulator`. */
export function unknownSimulator(evidence: Evidence<OneSimulatorOptions>): ReturnType<Strategy['check']> {
  return unknownSimulators(evidence, 'simulator', [evidence.options.simulator]);
}

/** Checks that every simulator an option names exists, and is none of the held-out ones. */
export function unknownSimulators(
  { simulators }: Evidence,
  key: string,
  names: readonly string[],
): ReturnType<Strategy['check']> {
  const known = simulators.map(({ name }) => name);
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      key,
      problem: `"${name}" is no simulator that may be trained on`,
      remedy: `Name one of ${known.join(', ')}; held-out simulators are never trained on.`,
    }));
}
