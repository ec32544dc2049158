import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { World } from '../simulators/contract.ts';
import { strategyEvidence } from './evidence.ts';
import { describeValue, type Finding } from './finding.ts';
import { valueAt } from './path.ts';
import type { Registries } from './registries.ts';

/** What of a variant concerns its strategy. */
export type StrategySetting = Pick<ResolvedVariant, 'strategy' | 'simulators' | 'randomization' | 'panels'>;

/** What a strategy itself finds wrong with its options in this setting. */
export function checkStrategy(setting: StrategySetting, world: World, { strategies }: Registries): Finding[] {
  const strategy = strategies[setting.strategy.kind]!;
  const problems = strategy.check(strategyEvidence(setting, world, 0)).map(({ key, problem, remedy }) => ({
    path: ['strategy', key],
    found: describeValue(valueAt(setting.strategy, [key])),
    expected: `options that fit the experiment: ${problem}`,
    remedy,
  }));
  if (!strategy.needsValidation || setting.panels.validation.length > 0) return problems;
  const remedy = 'Name simulators to mine failures from, or choose a strategy that mines none.';
  const expected = `at least one simulator, because ${strategy.kind} mines the validation panel`;
  return [...problems, { path: ['panels', 'validation'], found: 'an empty panel', expected, remedy }];
}
