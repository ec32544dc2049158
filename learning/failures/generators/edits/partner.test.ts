import { describe, expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { scripted, simulatorOf } from '../../../../test/support/small-learning.ts';
import { numberAt, setNumberAt } from '../../../strategies/draw-simulator.ts';
import type { Parent } from './contract.ts';
import { parentsOf } from './parents.ts';
import { partner } from './partner.ts';

const situation = FAILING_SITUATIONS.spread;
const context = contextOf(situation);
const [failed] = parentsOf(madeUpMined(situation), 5, context.parameters);
const COUNTS = [0, 3, 0, 1, 1];
const EPSILON = 'partners.1.epsilon';
const BIASES = COUNTS.map((_, action) => `partners.1.action_bias.${action}`);

const parentWith = (name: string, numbers: object = {}): Parent => ({
  ...failed!,
  simulator: simulatorOf(situation.world, scripted(1, name, numbers)),
  actionCounts: { 1: COUNTS },
});
const childOf = (parent: Parent, seed: number) =>
  partner.apply(parent, context, new RandomStream(keyFrom(seed)))!.simulator;
const SEEDS = Array.from({ length: 600 }, (_, seed) => seed);

describe('a partner edit', () => {
  it('raises ε by at most half of what it lacks to 1', () => {
    const before = 0.3;
    const raised = SEEDS.map((seed) =>
      numberAt(childOf(parentWith('topmost_landmark', { epsilon: before }), seed), EPSILON)!,
    );
    const most = before + (1 - before) / 2;
    expect(raised.every((epsilon) => epsilon > before && epsilon <= most)).toBe(true);
    expect(Math.max(...raised)).toBeGreaterThan(most - 0.02);
  });

  it('weighs actions in proportion to α = 1 and how often each was done, the largest weight being the highest', () => {
    const { high } = context.parameters.find(({ path }) => path === BIASES[0])!;
    const total = COUNTS.reduce((sum, count) => sum + count + 1, 0);
    const shares = SEEDS.map((seed) => {
      const weights = BIASES.map((path) => numberAt(childOf(parentWith('topmost_landmark'), seed), path)!);
      expect(Math.max(...weights)).toBe(high);
      expect(weights.every((weight) => weight >= 0)).toBe(true);
      const sum = weights.reduce((all, weight) => all + weight, 0);
      return weights.map((weight) => weight / sum);
    });
    for (const [action, count] of COUNTS.entries()) {
      const expected = (count + 1) / total;
      const mean = shares.reduce((sum, each) => sum + each[action]!, 0) / shares.length;
      const error = Math.sqrt((expected * (1 - expected)) / (total + 1) / shares.length);
      expect(Math.abs(mean - expected)).toBeLessThan(4 * error);
    }
  });

  it('changes nothing else', () => {
    const parent = parentWith('weighted', { weights: { x: 1 }, lateness: 3 });
    const child = structuredClone(childOf(parent, 1));
    expect(child).not.toEqual(parent.simulator);
    for (const path of [EPSILON, ...BIASES]) setNumberAt(child, path, numberAt(parent.simulator, path)!);
    expect(child).toEqual(parent.simulator);
  });

  it('gives a partner that has no ε only the weights', () => {
    const parent = parentWith('random');
    const child = childOf(parent, 1);
    expect(child.partners['1']).not.toHaveProperty('epsilon');
    expect(child).not.toEqual(parent.simulator);
    expect(situation.world.simulatorSchema.parse(child)).toEqual(child);
  });

  it('does not exist where no partner is scripted', () => {
    const simulator = simulatorOf(situation.world, { partners: { 1: { kind: 'self' } } });
    const alone = { ...failed!, simulator, actionCounts: {} };
    expect(partner.apply(alone, context, new RandomStream(keyFrom(1)))).toBeNull();
  });
});
