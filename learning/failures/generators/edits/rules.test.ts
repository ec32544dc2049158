import { describe, expect, it } from 'vitest';
import type { SimulatorData } from '../../../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { scripted, simulatorOf } from '../../../../test/support/small-learning.ts';
import { numberAt } from '../../../strategies/draw-simulator.ts';
import { editSimulator } from '../../../strategies/edit-simulator.ts';
import type { GeneratorContext } from '../contract.ts';
import { parentsOf } from './parents.ts';
import { rules } from './rules.ts';

const situation = FAILING_SITUATIONS.spread;
const DAMPING = 'rules.damping';
const EPSILON = 'partners.1.epsilon';
const RANGES = { [DAMPING]: [0.1, 0.5], [EPSILON]: [0, 0.8] } as const;
const PATHS = [DAMPING, EPSILON] as const;
const context: GeneratorContext = { ...contextOf(situation), randomization: RANGES, scale: 0.25 };
const [failed] = parentsOf(madeUpMined(situation), 5, context.parameters);
const place = (path: string) => context.parameters.findIndex((parameter) => parameter.path === path);
const stepOf = (path: (typeof PATHS)[number]) => context.scale * (RANGES[path][1] - RANGES[path][0]);
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

const parentAt = (damping: number, epsilon: number) => {
  const written = { ...scripted(1, 'topmost_landmark', { epsilon }), rules: { damping } };
  return { ...failed!, simulator: simulatorOf(situation.world, written) };
};
const parent = parentAt(0.3, 0.4);
const childOf = (predict: GeneratorContext['predict'], seed = 1, from = parent) =>
  rules.apply(from, { ...context, predict }, new RandomStream(keyFrom(seed)))?.simulator ?? null;
const differences = (child: SimulatorData) =>
  PATHS.map((path) => (numberAt(child, path)! - numberAt(parent.simulator, path)!) / stepOf(path));

describe('a rules edit that can predict', () => {
  it.each([1, -1])('moves one step in the direction that is predicted to be worse, sign %i', (sign) => {
    const predict = (parameters: Float64Array) =>
      sign * (parameters[place(DAMPING)]! - 2 * parameters[place(EPSILON)]!);
    const moves = SEEDS.map((seed) => differences(childOf(predict, seed)!));
    for (const [damping, epsilon] of moves) {
      expect([0, sign]).toContain(Math.round(damping! * 1e9) / 1e9);
      expect([0, -sign]).toContain(Math.round(epsilon! * 1e9) / 1e9);
      expect(damping !== 0 || epsilon !== 0).toBe(true);
    }
    expect(moves.some(([damping, epsilon]) => damping !== 0 && epsilon !== 0)).toBe(true);
    expect(moves.some(([damping]) => damping === 0)).toBe(true);
    expect(moves.some(([, epsilon]) => epsilon === 0)).toBe(true);
  });

  it('always ends where it is predicted to be worse, whatever the shape of the prediction', () => {
    const predict = (parameters: Float64Array) =>
      Math.sin(9 * parameters[place(DAMPING)]!) * parameters[place(EPSILON)]!;
    const badness = (simulator: SimulatorData) => predict(context.compile(simulator));
    const children = SEEDS.flatMap((seed) => childOf(predict, seed) ?? []);
    expect(children).toHaveLength(SEEDS.length);
    for (const child of children) expect(badness(child)).toBeGreaterThan(badness(parent.simulator));
  });

  it('stays in the ranges, and does not move what stands at the worse end', () => {
    const predict = (parameters: Float64Array) => parameters[place(DAMPING)]!;
    const atEnd = parentAt(RANGES[DAMPING][1], 0.4);
    expect(childOf(predict, 1, atEnd)).toBeNull();
    const beforeEnd = parentAt(RANGES[DAMPING][1] - stepOf(DAMPING) / 2, 0.4);
    expect(numberAt(childOf(predict, 1, beforeEnd)!, DAMPING)).toBe(RANGES[DAMPING][1]);
  });

  it('does not exist where no step is predicted to matter', () => {
    expect(childOf(() => 0)).toBeNull();
    expect(childOf(() => NaN)).toBeNull();
  });
});

it('a rules edit that cannot predict moves ranged numbers as `adaptive` does', () => {
  const options = { ranges: RANGES, parameters: context.parameters, scale: context.scale };
  for (const seed of SEEDS) {
    expect(childOf(null, seed)).toEqual(editSimulator(parent.simulator, options, new RandomStream(keyFrom(seed))));
  }
});

it('a rules edit does not exist without ranges', () => {
  expect(rules.apply(parent, { ...context, randomization: {} }, new RandomStream(keyFrom(1)))).toBeNull();
});
