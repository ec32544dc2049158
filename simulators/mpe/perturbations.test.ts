import { describe, expect, it } from 'vitest';
import type { Batch, Family, World } from '../contract.ts';
import { keyFrom } from '../random.ts';
import { simpleSpread } from '../simple-spread/family.ts';
import { simpleTag } from '../simple-tag/family.ts';
import type { Start } from './simulator-data.ts';

// What every world of MPE2 does with the perturbations and the partners' random actions that they share.

const FAMILIES: readonly Family[] = [simpleSpread, simpleTag];

function begin(world: World, simulator: unknown, seed: number): Batch {
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(world.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

const told = (batch: Batch) => batch.state(0) as Start;

/** Whether a share of n trials fits a probability, within four standard errors. */
function expectShare(count: number, trials: number, probability: number): void {
  const error = Math.sqrt((probability * (1 - probability)) / trials);
  expect(Math.abs(count / trials - probability)).toBeLessThanOrEqual(4 * error);
}

describe.each(FAMILIES)('in $name', (family) => {
  const world = family.open(family.optionsSchema.parse({ episode_steps: 40 }));
  const lastSeat = world.seatCount - 1;

  it('sticky actions repeat, with their probability, what took effect the step before', () => {
    for (const sticky_actions of [0, 0.25, 1]) {
      let repeated = 0;
      let trials = 0;
      for (let seed = 0; seed < 40; seed += 1) {
        const batch = begin(world, { perturbations: { sticky_actions } }, seed);
        for (let step = 0; step < 40; step += 1) {
          const before = told(batch).last_actions.map(Number);
          // Every action given differs from the one before, so a repetition shows.
          const given = before.map((action) => (action + 1) % 5);
          void batch.step(Int32Array.from(given));
          told(batch).last_actions.forEach((action, seat) => {
            expect([before[seat], given[seat]]).toContain(action);
            if (action === before[seat]) repeated += 1;
            trials += 1;
          });
        }
      }
      expectShare(repeated, trials, sticky_actions);
    }
  });

  it('sticky actions come after the delay: what is repeated is what took effect', () => {
    const batch = begin(world, { perturbations: { sticky_actions: 0.5, action_delay: 3 } }, 1);
    const effects = Array.from({ length: 40 }, (_, step) => {
      void batch.step(new Int32Array(world.seatCount).fill(1 + (step % 4)));
      return told(batch).last_actions[0]!;
    });
    expect(effects.slice(0, 3)).toEqual([0, 0, 0]);
    effects.forEach((effect, step) => {
      const due = step < 3 ? 0 : 1 + ((step - 3) % 4);
      expect([effects[step - 1] ?? 0, due]).toContain(effect);
    });
    expect(new Set(effects)).toEqual(new Set([0, 1, 2, 3, 4]));
  });

  it('dropped observations are all zeros, the others as they would be', () => {
    const probability = 0.3;
    const simulator = { perturbations: { observation_noise: 0.1 } };
    let dropped = 0;
    let trials = 0;
    for (let seed = 0; seed < 200; seed += 1) {
      const clear = begin(world, simulator, seed);
      const holey = begin(
        world,
        { perturbations: { ...simulator.perturbations, dropped_observations: probability } },
        seed,
      );
      world.groups.forEach(({ seats, observationSize }, group) => {
        const [all, some] = [clear, holey].map((batch) => {
          const out = new Float64Array(seats.length * observationSize);
          batch.observe(group, out);
          return out;
        });
        seats.forEach((_, place) => {
          const [full, seen] = [all!, some!].map((out) =>
            Array.from(out.subarray(place * observationSize, (place + 1) * observationSize)),
          );
          const isDropped = seen!.every((value) => value === 0);
          if (!isDropped) expect(seen).toEqual(full);
          if (isDropped) dropped += 1;
          trials += 1;
        });
      });
    }
    expectShare(dropped, trials, probability);
  });

  /** How often the partner on the last seat took each action, in 40 episodes. */
  function actionCounts(partner: Record<string, unknown>): number[] {
    const counts = [0, 0, 0, 0, 0];
    for (let seed = 0; seed < 40; seed += 1) {
      const batch = begin(world, { partners: { [lastSeat]: { kind: 'scripted', ...partner } } }, seed);
      for (let step = 0; step < 40; step += 1) {
        void batch.step(new Int32Array(world.seatCount));
        counts[Number(told(batch).last_actions[lastSeat])]! += 1;
      }
    }
    return counts;
  }

  it.each([
    [{ name: 'random' }, [0.2, 0.2, 0.2, 0.2, 0.2]],
    [{ name: 'random', action_bias: [0, 1, 0.5, 0, 0.5] }, [0, 0.5, 0.25, 0, 0.25]],
    [{ name: 'noop', epsilon: 0.4, action_bias: [0, 0, 0.75, 0.25, 0] }, [0.6, 0, 0.3, 0.1, 0]],
    [{ name: 'random', action_bias: [0, 0, 0, 0, 0] }, [1, 0, 0, 0, 0]],
  ])('the partner %j takes the actions with probabilities %j', (partner, expected) => {
    const counts = actionCounts(partner);
    counts.forEach((count, action) => expectShare(count, 1600, expected[action]!));
  });

  it('the weights of random actions are numbers that a range can name', () => {
    const parameter = world.parameters.find(({ path }) => path === `partners.${lastSeat}.action_bias.2`);
    expect(parameter).toMatchObject({ kind: 'real', low: 0, high: 1 });
    const partner = { kind: 'scripted', name: 'random', action_bias: [0.1, 0.2, 0.3, 0.4, 0.5] };
    const vector = world.compile(world.simulatorSchema.parse({ partners: { [lastSeat]: partner } }));
    expect(vector[world.parameters.indexOf(parameter!)]).toBe(0.3);
  });
});
