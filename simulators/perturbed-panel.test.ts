import { describe, expect, it } from 'vitest';
import type { World } from './contract.ts';
import { PERTURBATION_SCALES, perturbedPanel } from './perturbed-panel.ts';
import { FAMILIES } from './registry.ts';

const open = (world: string): World => FAMILIES[world]!.open(FAMILIES[world]!.optionsSchema.parse({}));

describe.each(Object.keys(FAMILIES))('a perturbed panel of %s', (family) => {
  const world = open(family);
  const base = world.simulatorSchema.parse({});
  const panel = perturbedPanel(world, 'base', base);

  it('changes one real rule that is not 0 in each simulator, for every scale that its range allows', () => {
    const rules = Object.keys(base.rules).flatMap((rule) => {
      const parameter = world.parameters.find(({ path }) => path === `rules.${rule}`);
      return parameter?.kind === 'real' && base.rules[rule] !== 0 ? [{ ...parameter, rule }] : [];
    });
    const expected = rules.flatMap(({ rule, low, high }) => {
      const values = PERTURBATION_SCALES.map((scale) => Math.min(high, Math.max(low, scale * base.rules[rule]!)));
      return [...new Set(values)].filter((value) => value !== base.rules[rule]).map((value) => ({ rule, value }));
    });
    expect(expected.length).toBeGreaterThan(0);
    expect(panel.map(({ rule, simulator }) => ({ rule, value: simulator.rules[rule] }))).toEqual(expected);
    for (const { rule, simulator } of panel) {
      expect({ ...simulator, rules: { ...simulator.rules, [rule]: base.rules[rule] } }).toEqual(base);
    }
  });

  it('holds simulators as specs write them, under names of their own', () => {
    for (const { simulator } of panel) expect(world.simulatorSchema.parse(simulator)).toEqual(simulator);
    expect(new Set(panel.map(({ name }) => name)).size).toBe(panel.length);
  });
});

const spread = open('simple_spread');

it('a rule at the end of its range, or 0, is not scaled beyond it', () => {
  const simulator = spread.simulatorSchema.parse({ rules: { damping: 1, acceleration: 0 } });
  const panel = perturbedPanel(spread, 'glue', simulator);
  expect(panel.filter(({ rule }) => rule === 'damping').map(({ name }) => name)).toEqual([
    'glue-damping-0.8',
    'glue-damping-0.95',
  ]);
  expect(panel.some(({ rule }) => rule === 'acceleration')).toBe(false);
});

it('the scales may be others', () => {
  const panel = perturbedPanel(spread, 'base', spread.simulatorSchema.parse({}), [0.5]);
  expect(panel[0]).toMatchObject({ name: 'base-damping-0.5', scale: 0.5, simulator: { rules: { damping: 0.125 } } });
});
