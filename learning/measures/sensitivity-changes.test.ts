import { describe, expect, it } from 'vitest';
import { openSpread, scripted, simulatorOf, weighted } from '../../test/support/small-learning.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import type { WeightedSimulator } from '../rollout/episode-source.ts';
import { partnerChanges, ruleChanges } from './sensitivity-changes.ts';

const open = (family: string): World => FAMILIES[family]!.open(FAMILIES[family]!.optionsSchema.parse({}));
const world = openSpread({ agents: 3 });
const plain = simulatorOf(world);
const FACTORS = [0.8, 0.95, 1.05, 1.2];

const total = (entries: readonly WeightedSimulator[]): number => entries.reduce((sum, { weight }) => sum + weight, 0);

describe.each(Object.keys(FAMILIES))('the rules of %s', (family) => {
  const of = open(family);
  const [first, second] = [simulatorOf(of), simulatorOf(of, { rewards: {} })];
  const pool = [weighted(first, 0.25), weighted(second, 0.75)];
  const changes = ruleChanges(of, pool);

  it('are scaled one at a time, in every simulator, within their ranges', () => {
    expect(changes.length).toBeGreaterThan(0);
    for (const { kind, name, factor, simulators } of changes) {
      const parameter = of.parameters.find(({ path }) => path === name)!;
      const rule = name.slice('rules.'.length);
      expect(kind).toBe('rule');
      expect(parameter.kind).toBe('real');
      expect(simulators.map(({ weight }) => weight)).toEqual([0.25, 0.75]);
      for (const { simulator } of simulators) {
        const value = Math.min(parameter.high, Math.max(parameter.low, factor! * first.rules[rule]!));
        expect(simulator).toEqual({ ...first, rules: { ...first.rules, [rule]: value } });
      }
    }
  });

  it('are all that are real and not 0, with every factor that their range allows', () => {
    const expected = of.parameters
      .filter(({ path, kind }) => path.startsWith('rules.') && kind === 'real' && first.rules[path.slice(6)] !== 0)
      .flatMap(({ path, high }) => FACTORS.filter((factor) => factor < 1 || first.rules[path.slice(6)]! < high).map((factor) => [path, factor])); // prettier-ignore
    expect(changes.map(({ name, factor }) => [name, factor])).toEqual(expected);
  });
});

describe('the change of a rule', () => {
  const damping = (changes: ReturnType<typeof ruleChanges>) => changes.filter(({ name }) => name === 'rules.damping');

  it('leaves the simulators as they are in which it is 0 or at its end, and is none where that is all of them', () => {
    const glue = simulatorOf(world, { rules: { damping: 1 } });
    const ice = simulatorOf(world, { rules: { damping: 0 } });
    expect(damping(ruleChanges(world, [weighted(ice)]))).toEqual([]);
    expect(damping(ruleChanges(world, [weighted(glue)])).map(({ factor }) => factor)).toEqual([0.8, 0.95]);
    const values = damping(ruleChanges(world, [weighted(glue), weighted(ice), weighted(plain)])).map(
      ({ simulators }) => simulators.map(({ simulator }) => simulator.rules['damping']), // prettier-ignore
    );
    expect(values).toEqual(FACTORS.map((factor) => [Math.min(1, factor), 0, factor * plain.rules['damping']!]));
  });

  it('scales the range that the rule is drawn from', () => {
    const drawn = { ...weighted(plain), randomization: { 'rules.damping': [0.4, 0.9], 'rules.mass': [1, 2] } as const };
    const ranges = damping(ruleChanges(world, [drawn])).map(({ simulators }) => simulators[0]!.randomization);
    expect(ranges).toEqual(
      FACTORS.map((factor) => ({ ...drawn.randomization, 'rules.damping': [0.4 * factor, Math.min(1, 0.9 * factor)] })),
    );
  });
});

describe('the sweep over partners', () => {
  const beside = (name: string, numbers: object = {}): SimulatorData => simulatorOf(world, scripted(2, name, numbers));
  const pool = [weighted(beside('noop'), 0.5), weighted(beside('leftmost_landmark'), 0.3), weighted(plain, 0.2)];

  it('puts each policy of the family on the seats that do not learn, with every number that one needs', () => {
    const { changes, leftOut } = partnerChanges(world, pool, [0, 1]);
    const names = world.scriptedPolicies.flatMap((name) =>
      name === 'fixed_landmark' ? [0, 1, 2].map((landmark) => `${name} landmark=${landmark}`) : name,
    );
    expect(changes.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'weighted'));
    expect(leftOut).toEqual(['weighted']);
    for (const { kind, name, factor, simulators } of changes) {
      const [policy, number] = name.split(' ');
      const numbers = number === undefined ? {} : { landmark: Number(number.split('=')[1]) };
      expect({ kind, factor }).toEqual({ kind: 'partner', factor: null });
      expect(simulators).toEqual([{ ...pool[0], simulator: beside(policy!, numbers), weight: expect.closeTo(1, 12) }]);
    }
  });

  it('keeps simulators apart that differ in something else', () => {
    const heavy = simulatorOf(world, { ...scripted(2, 'noop'), rules: { mass: 2 } });
    const { changes } = partnerChanges(world, [...pool, weighted(heavy, 2)], [0, 1]);
    for (const { simulators } of changes) {
      expect(simulators.map(({ simulator }) => simulator.rules['mass'])).toEqual([1, 2]);
      expect(total(simulators)).toBeCloseTo(3, 12);
    }
  });

  it('takes entries for equal whatever the order of their keys', () => {
    const { rules } = plain;
    const backwards = { ...plain, rules: Object.fromEntries(Object.entries(rules).reverse()) };
    for (const { simulators } of partnerChanges(world, [weighted(plain, 1), weighted(backwards, 2)], [0]).changes) {
      expect(simulators.map(({ weight }) => weight)).toEqual([3]);
    }
  });

  it('holds all of several such seats, also those of partners that act from outside', () => {
    const outside = { ...plain, partners: { 1: { kind: 'self' }, 2: { kind: 'trained' } } } as const;
    for (const { name, simulators } of partnerChanges(world, [weighted(outside)], [0]).changes) {
      const partners = simulators[0]!.simulator.partners;
      expect(Object.keys(partners)).toEqual(['1', '2']);
      for (const partner of Object.values(partners)) expect(partner.name).toBe(name.split(' ')[0]);
    }
  });

  it('drops the ranges of whom it replaces, and no others', () => {
    const randomization = { 'partners.2.epsilon': [0, 1], 'partners.1.speed': [0, 1], 'rules.mass': [1, 2] } as const;
    for (const { simulators } of partnerChanges(world, [{ ...pool[0]!, randomization }], [0, 1]).changes) {
      expect(Object.keys(simulators[0]!.randomization)).toEqual(['partners.1.speed', 'rules.mass']);
    }
  });

  it('gives each role its own policies', () => {
    const tag = open('simple_tag');
    const prey = tag.groups[1]!.seats;
    const own = { 0: { kind: 'scripted', name: 'chase' } } as const;
    const entry = weighted(simulatorOf(tag, { partners: own }));
    const { changes } = partnerChanges(tag, [entry], [1, 2]);
    const names = changes.map(({ name }) => name);
    expect(names).toContain('corner corner=3');
    expect(names).toContain('surround');
    for (const { name, simulators } of changes) {
      const { partners } = simulators[0]!.simulator;
      const policy = name.split(' ')[0]!;
      if (['surround', 'rush', 'guard'].includes(policy)) expect(Object.keys(partners)).toEqual(['0']);
      if (policy === 'corner') expect(partners['0']).toEqual(entry.simulator.partners['0']);
      if (policy === 'noop') expect([0, ...prey].map((seat) => partners[seat]?.name)).toEqual(['noop', 'noop']);
    }
    const hunted = partnerChanges(tag, [entry], [0, 1, 2]);
    expect(hunted.changes.map(({ name }) => name)).not.toContain('chase');
    expect(hunted.leftOut).toEqual(['weighted']);
  });

  it('is none when every seat learns', () => {
    expect(partnerChanges(world, pool, [0, 1, 2])).toEqual({ changes: [], leftOut: [] });
  });

  it.each(Object.keys(FAMILIES))('holds simulators of %s as specs write them', (family) => {
    const of = open(family);
    const { changes } = partnerChanges(of, [weighted(simulatorOf(of))], [0]);
    expect(changes.length).toBeGreaterThan(2);
    for (const { simulators } of changes) {
      expect(of.simulatorSchema.parse(simulators[0]!.simulator)).toEqual(simulators[0]!.simulator);
    }
  });
});
