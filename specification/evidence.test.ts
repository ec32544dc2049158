import { expect, test } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { strategyEvidence } from './evidence.ts';
import { openWorld } from './open-world.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

test('a strategy sees what it may train on, validation apart, and no test simulator', () => {
  const variant = resolved(specDocument()).variants.pool!;
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const evidence = strategyEvidence(variant, world, 3);
  expect(evidence.trainPanel.map(({ name }) => name)).toEqual(variant.panels.train);
  expect(evidence.validationPanel.map(({ name }) => name)).toEqual(variant.panels.validation);
  expect(evidence.simulators.map(({ name }) => name).sort()).toEqual([...variant.panels.train].sort());
  expect(evidence).toMatchObject({ options: variant.strategy, roundIndex: 3, randomization: variant.randomization });
  for (const name of variant.panels.test) expect(JSON.stringify(evidence)).not.toContain(`"${name}"`);
});

test('a variant resolved for another version of its family is refused, because its numbers would differ', () => {
  const variant = { ...resolved(specDocument()).variants.pool!, family_version: 'older' };
  expect(() => openWorld(variant, DEFAULT_REGISTRIES)).toThrow(/version older of simple_spread/);
});
