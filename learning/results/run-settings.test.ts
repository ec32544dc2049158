import { expect, test } from 'vitest';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { settingsOf } from './run-settings.ts';

test('settings are what runs differ by, each once, as text that says what it was', () => {
  const settings = settingsOf(resolved(specDocument()).variants['pool']!, 7);
  const paths = settings.map(([path]) => path);
  expect(new Set(paths).size).toBe(paths.length);
  expect(Object.fromEntries(settings)).toMatchObject({
    seed: '7',
    family: 'simple_spread',
    'algorithm.hidden_sizes': '[32,32]',
    'strategy.kind': 'pool',
    'budget.env_steps': '100000',
    'randomization.rules.damping': '[0.1,0.5]',
    'panels.test': '["far"]',
  });
});
