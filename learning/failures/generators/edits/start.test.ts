import { describe, expect, it } from 'vitest';
import type { SimulatorData } from '../../../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../../../simulators/random.ts';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../../../../test/support/made-up-mined.ts';
import { numberAt } from '../../../strategies/draw-simulator.ts';
import { failureName } from '../../contract.ts';
import { parentsOf } from './parents.ts';
import { start } from './start.ts';

const ROUND = 5;

const startOf = (state: Readonly<Record<string, unknown>>, kinds: readonly string[]) =>
  Object.fromEntries(kinds.map((kind) => [kind, state[kind]]));

describe.each(Object.entries(FAILING_SITUATIONS))('a start edit in %s', (_, situation) => {
  const { world } = situation;
  const context = contextOf(situation);
  const parents = parentsOf(madeUpMined(situation), ROUND, world.parameters);
  const childOf = (place: number, seed: number, scale = context.scale) =>
    start.apply(parents[place]!, { ...context, scale }, new RandomStream(keyFrom(seed)))!.simulator;

  it('starts where the failing episode started, give or take a share of the range', () => {
    const batch = world.createBatch(1);
    const failures = madeUpMined(situation).failures;
    for (const [place, parent] of parents.entries()) {
      const failure = failures.find((_, index) => failureName(ROUND, index) === parent.failure)!;
      batch.reset(0, world.compile(failure.simulator), failure.key);
      const kinds = Object.keys(childOf(place, 1).scenarios['start'] as object);
      expect(childOf(place, 1).scenarios['start']).toEqual(startOf(batch.state(0), kinds));
    }
  });

  it('changes nothing but the scenario, and of that only the start and the spreads', () => {
    for (const [place, parent] of parents.entries()) {
      const child = childOf(place, 1);
      expect({ ...child, scenarios: parent.simulator.scenarios }).toEqual(parent.simulator);
      const written = ({ scenarios }: SimulatorData, key: string) => JSON.stringify(scenarios[key]);
      const changed = Object.keys(child.scenarios).filter(
        (key) => written(child, key) !== written(parent.simulator, key),
      );
      expect(changed.every((key) => key === 'start' || /half_width|spread/.test(key))).toBe(true);
    }
  });

  it('makes every spread a share of its range from half of `scale` to `scale`, unless it was smaller already', () => {
    const spreads = world.parameters.filter(({ path }) => /half_width|start_spread/.test(path));
    expect(spreads.length).toBeGreaterThan(0);
    const [scale, parent] = [0.5, parents[0]!];
    const isGiven = parent.simulator.scenarios['start'] !== undefined;
    for (const { path, low, high } of spreads) {
      const before = numberAt(parent.simulator, path)!;
      const [least, most] = [(scale / 2) * (high - low), scale * (high - low)];
      for (let seed = 0; seed < 20; seed += 1) {
        const spread = numberAt(childOf(0, seed, scale), path)!;
        if (isGiven && before < least) expect(spread).toBe(before);
        else expect(spread >= least && spread <= most).toBe(true);
      }
    }
  });
});

describe('a start edit', () => {
  const context = contextOf(FAILING_SITUATIONS.spread);
  const [parent] = parentsOf(madeUpMined(FAILING_SITUATIONS.spread), ROUND, context.parameters);
  const random = () => new RandomStream(keyFrom(1));

  it('does not exist where a family has no starts', () => {
    expect(start.apply({ ...parent!, start: null }, context, random())).toBeNull();
  });

  it('leaves a parent that has a single start as it was', () => {
    const scenarios = { start: parent!.start, agent_half_width: 0, velocity_half_width: 0, landmark_half_width: 0 };
    const single = { ...parent!, simulator: { ...parent!.simulator, scenarios } };
    expect(start.apply(single, context, random())!.simulator).toEqual(single.simulator);
  });

  it('spreads whole numbers by whole numbers, and by no less than 1', () => {
    const { world } = FAILING_SITUATIONS.foraging;
    const foraging = contextOf(FAILING_SITUATIONS.foraging);
    const [drawn] = parentsOf(madeUpMined(FAILING_SITUATIONS.foraging), ROUND, world.parameters).filter(
      ({ simulator }) => simulator.scenarios['start'] === undefined,
    );
    const spreads = [0.01, 0.5].map(
      (scale) => start.apply(drawn!, { ...foraging, scale }, random())!.simulator.scenarios['start_spread'],
    );
    expect(spreads[0]).toBe(1);
    expect(spreads[1]).toBeGreaterThan(1);
    expect(Number.isInteger(spreads[1])).toBe(true);
  });
});
