import { describe, expect, it } from 'vitest';
import type { MiningPlan } from '../learning/failures/contract.ts';
import { ONE_LEARNER } from '../learning/strategies/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved as resolve, specDocument } from '../test/support/spec-document.ts';
import { type Mining, mineRequest } from './mine-request.ts';
import type { SessionState } from './session-messages.ts';

const experiment = resolve({
  ...specDocument(),
  panels: { train: ['zero', 'left'], validation: ['top', 'near'], test: ['far'] },
  simulators: {
    ...specDocument().simulators,
    near: { partners: { 1: { kind: 'scripted', name: 'nearest_landmark' } } },
  },
});
const resolved = experiment.variants['pool']!;
const world = openWorld(resolved, DEFAULT_REGISTRIES);
const plan: MiningPlan = {
  episodes: 3,
  draws: 'fresh',
  select: 'lowest',
  share: 0.5,
  perSimulatorMax: 2,
  groupsMax: 2,
};

function ask(changes: Partial<Mining> = {}, session: Partial<SessionState> = {}) {
  const state = { variantHash: 'v', resolved, seed: 0, members: ONE_LEARNER, checkpointHash: 'c', ...session };
  return mineRequest(state, { round: 5, mining: plan, world, earlier: {}, ...changes });
}
const fixed = { ...plan, draws: 'fixed' } as const;
const dampings = (request: ReturnType<typeof ask>) =>
  request.simulators.map(({ simulator }) => simulator.rules['damping']!);

describe('fresh draws', () => {
  it('are other simulators and other starts in every round and under every seed, and the same when asked again', () => {
    const asked = [ask(), ask({ round: 6 }), ask({}, { seed: 1 })];
    expect(ask()).toEqual(asked[0]);
    expect(new Set(asked.flatMap(dampings)).size).toBe(3 * 2);
    const keys = asked.flatMap((request) => [...request.keys, request.selectionKey]);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(3 * (plan.episodes + 1));
    for (const damping of asked.flatMap(dampings)) {
      expect(damping).toBeGreaterThanOrEqual(0.1);
      expect(damping).toBeLessThanOrEqual(0.5);
    }
  });

  it('leave a simulator as it is that has none of the ranged numbers', () => {
    const ranges = { 'partners.1.landmark': [0, 1] as const };
    const { simulators } = ask({}, { resolved: { ...resolved, randomization: ranges } });
    expect(simulators).toEqual(['top', 'near'].map((name) => ({ name, simulator: resolved.simulators[name] })));
  });

  it('are dropped where they come upon a test simulator', () => {
    const [drawn] = ask().simulators;
    const simulators = { ...resolved.simulators, far: drawn!.simulator };
    expect(ask({}, { resolved: { ...resolved, simulators } }).simulators.map(({ name }) => name)).toEqual(['near']);
  });

  it('are held against no earlier mining, whose episodes were others', () => {
    expect(ask({ earlier: { top: [[1, 2, 3]] } }).earlier).toEqual({});
  });
});

describe('fixed draws', () => {
  it('are the panel as it is, with the same starts in every round and under every seed', () => {
    const first = ask({ mining: fixed });
    expect(first.simulators).toEqual(['top', 'near'].map((name) => ({ name, simulator: resolved.simulators[name] })));
    expect(ask({ mining: fixed, round: 9 }, { seed: 4 }).keys).toEqual(first.keys);
    expect(new Set(first.keys.map((key) => JSON.stringify(key))).size).toBe(plan.episodes);
  });

  it('are held against earlier minings of as many episodes', () => {
    const earlier = {
      top: [
        [1, 2, 3],
        [4, 5],
      ],
      near: [[6]],
    };
    expect(ask({ mining: fixed, earlier }).earlier).toEqual({ top: [[1, 2, 3]], near: [] });
  });
});

it('a simulator in which no learner is present is not mined', () => {
  const top = { ...resolved.simulators['top']!, partners: { 0: { kind: 'scripted', name: 'noop' } } } as const;
  const simulators = { ...resolved.simulators, top };
  const { simulators: mined } = ask({ mining: fixed }, { resolved: { ...resolved, simulators } });
  expect(mined.map(({ name }) => name)).toEqual(['near']);
});
