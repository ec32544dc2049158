import type { World } from '../simulators/contract.ts';
import { strategyEvidence, type StrategySetting } from './evidence.ts';
import { describeValue, type Finding } from './finding.ts';
import { valueAt } from './path.ts';
import type { Registries } from './registries.ts';

/** What a strategy itself finds wrong with its options in this setting. */
export function checkStrategy(setting: StrategySetting, world: World, { strategies }: Registries): Finding[] {
  const strategy = strategies[setting.strategy.kind]!;
  const problems = strategy.check(strategyEvidence(setting, world, 0)).map(({ key, problem, remedy }) => ({
    path: ['strategy', key],
    found: `${describeValue(valueAt(setting.strategy, [key]))}: ${problem}`,
    expected: 'options that fit the experiment',
    remedy,
  }));
  const mines = strategy
    .needs(setting.strategy)
    .some((need) => need === 'validation_panel' || need === 'validation_returns');
  if (!mines || setting.panels.validation.length > 0) return problems;
  const remedy = 'Name simulators to validate on, or choose options or a strategy that need none.';
  const expected = `at least one simulator, because ${strategy.kind} looks at the validation panel`;
  return [...problems, { path: ['panels', 'validation'], found: 'an empty panel', expected, remedy }];
}
