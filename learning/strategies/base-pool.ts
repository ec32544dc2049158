import { z } from 'zod';
import type { Evidence, NamedSimulator, PoolEntry, Strategy, StrategyOptions } from './contract.ts';
import { unknownSimulators } from './one-simulator.ts';

/** Options of the strategies that leave the simulators alone and change who plays in them. */
export interface BasePoolOptions extends StrategyOptions {
  readonly simulators: readonly string[] | null;
}

export const simulatorsOption = z
  .array(z.string().min(1))
  .min(1)
  .max(1024)
  .nullable()
  .default(null)
  .describe('Names of the simulators to train on, equally often; null for the first of the train panel.');

/** The simulators that the options name, equally often. */
export function basePool(evidence: Evidence<BasePoolOptions>): PoolEntry[] {
  const found = namedSimulators(evidence);
  const reason = evidence.options.simulators === null ? 'the first of the train panel' : 'named by the strategy';
  const weight = 1 / found.length;
  return found.map((entry) => ({ ...entry, weight, parents: [], reason, randomization: {}, learns: true }));
}

/** The check of those strategies: there is a simulator, and each exists, is named once and is none of the held-out ones. */
export function wrongSimulators(evidence: Evidence<BasePoolOptions>): ReturnType<Strategy['check']> {
  const { options, trainPanel } = evidence;
  if (options.simulators === null && trainPanel.length === 0) {
    const remedy = 'Add a simulator to panels.train, or name simulators here.';
    return [
      { key: 'simulators', problem: 'without names, the first of the train panel is taken: it is empty', remedy },
    ];
  }
  const names = options.simulators ?? [];
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...unknownSimulators(evidence, 'simulators', names),
    ...[...new Set(repeated)].map((name) => ({
      key: 'simulators',
      problem: `"${name}" is named twice, and all are played equally often`,
      remedy: 'Name each simulator once.',
    })),
  ];
}

function namedSimulators({ options, simulators, trainPanel }: Evidence<BasePoolOptions>): readonly NamedSimulator[] {
  if (options.simulators === null) return trainPanel.slice(0, 1);
  return options.simulators.flatMap((name) => simulators.filter((entry) => entry.name === name));
}
