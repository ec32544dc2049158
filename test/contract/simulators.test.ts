import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionHead } from '../../learning/rollout/action-head.ts';
import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import type { Shape } from '../../simulators/drawing.ts';
import { foldIn, keyFrom, RandomStream, type Key } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';

// What every family promises. A family is tested by being in the registry; `OPTIONS` must say with which options.

const OPTIONS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  simple_spread: [
    {},
    { agents: 2, observe_velocities: true, communication_channel: false },
    { agents: 5, observe_velocities: true, episode_steps: 7 },
    { continuous_actions: true, episode_steps: 12 },
  ],
  simple_tag: [
    {},
    { num_adversaries: 1, num_good: 1, num_obstacles: 0 },
    { num_adversaries: 4, num_good: 2, num_obstacles: 3, episode_steps: 9 },
    { continuous_actions: true, episode_steps: 12 },
  ],
  simple_speaker_listener: [{}, { episode_steps: 9 }],
  kitchen: [
    { episode_steps: 40 },
    {
      layout: 'corridor',
      layouts: { corridor: ['XXOTXXX', 'P 1 2 S', 'XDXXXXX'], aside: ['XXPXX', 'O1X2S', 'XDXXX'] },
      episode_steps: 30,
    },
  ],
  foraging: [
    {},
    { field_size: 6, players: 3, food: 1, force_coop: true, sight: 2, episode_steps: 20 },
    { field_size: 10, players: 5, food: 6, max_player_level: 3, max_food_level: 2, episode_steps: 12 },
  ],
};

const worlds = Object.values(FAMILIES).flatMap((family) =>
  (OPTIONS[family.name] ?? []).map((options) => {
    const world = family.open(options);
    return { title: `${family.name} ${JSON.stringify(options)}`, family, world };
  }),
);

/** The parameter vector of each simulator of the catalogue. */
function catalogueOf(world: World): Map<string, Float64Array> {
  return new Map(
    Object.entries(world.catalogue).map(([name, { simulator }]) => [
      name,
      world.compile(world.simulatorSchema.parse(simulator)),
    ]),
  );
}

/** One environment's share of a batch after a step (or a reset), as bytes that can be compared. */
interface Moment {
  readonly state: string;
  readonly observations: number[][];
  readonly features: number[];
  readonly rewards: number[];
  readonly flags: number[];
}

function look(world: World, batch: Batch, environment: number): Moment {
  const share = (array: ArrayLike<number>) => {
    const length = array.length / batch.environmentCount;
    return Array.from({ length }, (_, index) => array[environment * length + index]!);
  };
  const observations = world.groups.map((group, index) => {
    const out = new Float64Array(batch.environmentCount * group.seats.length * group.observationSize);
    batch.observe(index, out);
    return share(out);
  });
  const features = new Float64Array(batch.environmentCount * world.seatCount * world.features.length);
  batch.observeFeatures(features);
  return {
    state: JSON.stringify(batch.state(environment)),
    observations,
    features: share(features),
    rewards: share(batch.rewards),
    flags: [batch.ended, batch.truncated, batch.success, batch.external].flatMap(share),
  };
}

function actionCount(world: World, seat: number): number {
  const { actions } = world.groups.find(({ seats }) => seats.includes(seat))!;
  return actions.kind === 'discrete' ? actions.count : actions.low.length;
}

/** Random actions of one environment and step, shape [N W]; a function of the key alone. */
function drawActions(world: World, key: Key, step: number): number[] {
  const stream = new RandomStream(key);
  const drawn = createActions(world, 1);
  stream.seek(step);
  for (let seat = 0; seat < world.seatCount; seat += 1) {
    const head = actionHead(world.groups.find(({ seats }) => seats.includes(seat))!.actions);
    head.any(stream, drawn, seat * head.actionSize);
  }
  return [...drawn];
}

/** Actions as a batch takes them. @param numbers shape [B N W] */
function actionsOf(world: World, numbers: readonly number[]): ActionArray {
  const perEnvironment = createActions(world, 1).length;
  const actions = createActions(world, numbers.length / perEnvironment);
  actions.set(numbers);
  return actions;
}

/** Other actions for those seats of one environment that are scripted. @param numbers shape [N W] */
function withOthersForScripted(world: World, batch: Batch, numbers: readonly number[]): number[] {
  const size = numbers.length / world.seatCount;
  return numbers.map((number, at) => {
    const seat = Math.floor(at / size);
    if (batch.external[seat] === 1) return number;
    return size > 1 ? 1 - number : (number + 1) % actionCount(world, seat);
  });
}

/** Whether actions have effects after their step: then an illegal one may become legal before it acts. */
function hasMemory(world: World, parameters: Float64Array): boolean {
  return ['perturbations.action_delay', 'perturbations.sticky_actions'].some((path) => {
    const index = world.parameters.findIndex((parameter) => parameter.path === path);
    return index >= 0 && parameters[index]! > 0;
  });
}

/** A shape without where it is. */
function looksOf({ x: _x, y: _y, ...looks }: Shape): string {
  return JSON.stringify(looks);
}

function extentOf(shape: Shape): [x: number, y: number] {
  return shape.kind === 'circle' ? [shape.radius, shape.radius] : [shape.width / 2, shape.height / 2];
}

interface Slot {
  readonly parameters: Float64Array;
  readonly key: Key;
}

/** Plays a whole episode in every slot and returns what each slot saw, reset included. */
function play(world: World, slots: readonly Slot[], steps = world.episodeStepsMax): Moment[][] {
  const batch = world.createBatch(slots.length);
  slots.forEach(({ parameters, key }, environment) => batch.reset(environment, parameters, key));
  const seen = slots.map((_, environment) => [look(world, batch, environment)]);
  for (let step = 0; step < steps; step += 1) {
    const actions = slots.flatMap(({ key }) => drawActions(world, foldIn(key, 99), step));
    void batch.step(actionsOf(world, actions));
    seen.forEach((moments, environment) => moments.push(look(world, batch, environment)));
  }
  return seen;
}

it('every registered family has options to be tested with, and its own name', () => {
  expect(Object.keys(OPTIONS).sort()).toEqual(Object.keys(FAMILIES).sort());
  for (const [name, family] of Object.entries(FAMILIES)) {
    expect(family.name).toBe(name);
    expect(family.version).not.toBe('');
  }
  expect(worlds.length).toBeGreaterThanOrEqual(Object.keys(FAMILIES).length);
});

describe.each(worlds)('$title', ({ family, world }) => {
  const catalogue = catalogueOf(world);
  const names = [...catalogue.keys()];
  const named = (name: string) => catalogue.get(name)!;
  const anyName = fc.constantFrom(...names);
  const anyKey = fc.integer().map((seed) => keyFrom(seed));

  it('writes every default of its options out, and reads its own output back the same', () => {
    expect(family.optionsSchema.parse(world.options)).toEqual(world.options);
    expect(family.open(world.options).parameters).toEqual(world.parameters);
  });

  it('declares groups that hold every seat once and observations without gaps', () => {
    const seats = world.groups.flatMap((group) => group.seats);
    expect([...seats].sort((a, b) => a - b)).toEqual(Array.from({ length: world.seatCount }, (_, seat) => seat));
    for (const group of world.groups) {
      let offset = 0;
      for (const part of group.observation) {
        expect(part.offset).toBe(offset);
        expect(part.length).toBeGreaterThan(0);
        offset += part.length;
      }
      expect(offset).toBe(group.observationSize);
    }
  });

  it('has a scripted reference that every seat of a group can have, and that acts there', () => {
    for (const { seats, scriptedReference: name = world.scriptedReference } of world.groups) {
      expect(world.scriptedPolicies).toContain(name);
      for (const seat of seats) {
        const parsed = world.simulatorSchema.parse({ partners: { [seat]: { kind: 'scripted', name } } });
        const batch = world.createBatch(1);
        batch.reset(0, world.compile(parsed), keyFrom(1));
        expect([...batch.external]).toEqual(Array.from({ length: world.seatCount }, (_, k) => (k === seat ? 0 : 1)));
      }
    }
  });

  it('declares each parameter once, with a range and the choices that a choice has', () => {
    expect(new Set(world.parameters.map(({ path }) => path)).size).toBe(world.parameters.length);
    for (const { kind, low, high, choices } of world.parameters) {
      expect(low).toBeLessThan(high);
      expect(choices?.length).toBe(kind === 'choice' ? high - low + 1 : undefined);
    }
  });

  it('has twelve or more built-in simulators, no two equal, among them `base`', () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
    expect(names).toContain('base');
    const contents = names.map((name) => JSON.stringify(world.simulatorSchema.parse(world.catalogue[name]!.simulator)));
    expect(new Set(contents).size).toBe(names.length);
    expect(new Set(names.map((name) => named(name).join())).size).toBe(names.length);
  });

  it.each(names)('%s parses to a simulator that reads back the same and compiles within the ranges', (name) => {
    const parsed = world.simulatorSchema.parse(world.catalogue[name]!.simulator);
    expect(world.simulatorSchema.parse(parsed)).toEqual(parsed);
    const vector = named(name);
    expect(vector).toHaveLength(world.parameters.length);
    world.parameters.forEach(({ path, low, high, kind }, index) => {
      expect(vector[index], path).toBeGreaterThanOrEqual(low);
      expect(vector[index], path).toBeLessThanOrEqual(high);
      if (kind !== 'real') expect(Number.isInteger(vector[index]), path).toBe(true);
    });
  });

  it.each(names)('%s plays a whole episode with finite numbers, and ends by the stated maximum', (name) => {
    const [moments] = play(world, [{ parameters: named(name), key: keyFrom(1) }]);
    const ends = moments!.map(({ flags }) => flags[0]! + flags[1]!);
    expect(ends[0]).toBe(0);
    // Counts an end in this very episode: a suite that saw none would have checked nothing.
    expect(ends.filter((end) => end > 0).length).toBeGreaterThan(0);
    expect(ends.findIndex((end) => end > 0)).toBeLessThanOrEqual(world.episodeStepsMax);
    for (const { observations, features, rewards } of moments!) {
      expect([...observations.flat(), ...features, ...rewards].every(Number.isFinite)).toBe(true);
      observations.forEach((observation, index) => {
        const group = world.groups[index]!;
        expect(observation).toHaveLength(group.seats.length * group.observationSize);
      });
    }
  });

  it('repeats itself byte for byte under one key and differs under another', () => {
    fc.assert(
      fc.property(anyName, anyKey, (name, key) => {
        const slot = { parameters: named(name), key };
        const first = play(world, [slot]);
        expect(play(world, [slot])).toEqual(first);
        const other = play(world, [{ ...slot, key: foldIn(key, 1) }]);
        expect(other[0]!.map(({ state }) => state)).not.toEqual(first[0]!.map(({ state }) => state));
      }),
      { numRuns: 20 },
    );
  });

  it('plays a batch of mixed simulators as it plays each alone, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyName, anyKey), { minLength: 1, maxLength: 6 }), (episodes) => {
        const slots = episodes.map(([name, key]) => ({ parameters: named(name), key }));
        // The first episode stands in the batch twice, so neighbours and place must not matter to it.
        const together = play(world, [...slots, slots[0]!]);
        expect(together.at(-1)).toEqual(together[0]);
        slots.forEach((slot, index) => expect(together[index]).toEqual(play(world, [slot])[0]));
      }),
      { numRuns: 20 },
    );
  });

  it.each(names)('%s plays a second episode as if it were the first, and leaves its neighbour alone', (name) => {
    const batch = world.createBatch(2);
    batch.reset(0, named(name), keyFrom(1));
    batch.reset(1, named(name), keyFrom(2));
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      const actions = [0, 1].flatMap((slot) => drawActions(world, keyFrom(slot), step));
      void batch.step(actionsOf(world, actions));
    }
    const neighbour = look(world, batch, 1);
    const slot = { parameters: named(name), key: keyFrom(3) };
    const [expected] = play(world, [slot]);
    batch.reset(0, slot.parameters, slot.key);
    expect(look(world, batch, 0)).toEqual(expected![0]);
    expect(look(world, batch, 1)).toEqual(neighbour);
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      const actions = drawActions(world, foldIn(slot.key, 99), step);
      void batch.step(actionsOf(world, [...actions, ...actions]));
      expect(look(world, batch, 0)).toEqual(expected![step + 1]);
    }
  });

  it('keeps its own copy of the parameters', () => {
    const parameters = named('base').slice();
    const batch = world.createBatch(1);
    batch.reset(0, parameters, keyFrom(1));
    parameters.fill(0);
    void batch.step(actionsOf(world, drawActions(world, keyFrom(1), 0)));
    const untouched = world.createBatch(1);
    untouched.reset(0, named('base'), keyFrom(1));
    void untouched.step(actionsOf(world, drawActions(world, keyFrom(1), 0)));
    expect(look(world, batch, 0)).toEqual(look(world, untouched, 0));
  });

  it('starts under one key the same whatever the partner', () => {
    const alike = names.filter((name) => !('scenarios' in world.catalogue[name]!.simulator));
    expect(alike.length).toBeGreaterThan(1);
    const starts = alike.map((name) => play(world, [{ parameters: named(name), key: keyFrom(5) }], 0)[0]![0]!.state);
    expect(new Set(starts).size).toBe(1);
  });

  it('ignores the actions given for scripted seats, heeds those for the others', () => {
    const scripted = names.filter((name) => 'partners' in world.catalogue[name]!.simulator);
    expect(scripted.length).toBeGreaterThan(0);
    for (const name of scripted) {
      const key = keyFrom(8);
      const outcomes = [false, true].map((isOther) => {
        const batch = world.createBatch(1);
        batch.reset(0, named(name), key);
        for (let step = 0; step < world.episodeStepsMax; step += 1) {
          const actions = drawActions(world, key, step);
          const given = isOther ? withOthersForScripted(world, batch, actions) : actions;
          void batch.step(actionsOf(world, given));
        }
        return look(world, batch, 0);
      });
      expect(outcomes[1]).toEqual(outcomes[0]);
      const external = outcomes[0]!.flags.slice(3).filter((flag) => flag === 1);
      expect(external.length, name).toBeLessThan(world.seatCount);
    }
    // Some steps, because a single draw may be to do nothing.
    const still = [false, true].map((acts) => {
      const batch = world.createBatch(1);
      batch.reset(0, named('base'), keyFrom(8));
      for (let step = 0; step < 5; step += 1) {
        const drawn = drawActions(world, keyFrom(8), step);
        void batch.step(actionsOf(world, acts ? drawn : drawn.map(() => 0)));
      }
      return JSON.stringify(batch.state(0));
    });
    expect(still[1]).not.toBe(still[0]);
  });

  it('tells what scripted partners did: whoever does the same in their seats has the same episode', () => {
    let told = 0;
    for (const name of names.filter((each) => !hasMemory(world, named(each)))) {
      const simulator = world.simulatorSchema.parse(world.catalogue[name]!.simulator);
      // A partner that is slowed down cannot be followed by somebody who is not.
      if (Object.values(simulator.partners).some((partner) => 'speed' in partner && partner.speed !== 1)) continue;
      const key = keyFrom(12);
      const [scripted, followed] = [simulator, { ...simulator, partners: {} }].map((played) => {
        const batch = world.createBatch(1);
        batch.reset(0, world.compile(played), key);
        return batch;
      });
      expect(scripted!.actions).toHaveLength(createActions(world, 1).length);
      for (let step = 0; step < world.episodeStepsMax; step += 1) {
        void scripted!.step(actionsOf(world, drawActions(world, key, step)));
        void followed!.step(scripted!.actions);
        expect(followed!.actions, name).toEqual(scripted!.actions);
        const [expected, seen] = [look(world, scripted!, 0), look(world, followed!, 0)];
        expect(seen.observations, name).toEqual(expected.observations);
        expect(seen.features, name).toEqual(expected.features);
        expect(seen.rewards, name).toEqual(expected.rewards);
        scripted!.external.forEach((flag, seat) => (told += flag === 0 && scripted!.actions[seat] !== 0 ? 1 : 0));
      }
    }
    expect(told).toBeGreaterThan(0);
  });

  it('has an action mask exactly when a group says so', () => {
    expect(world.createBatch(1).actionMask !== undefined).toBe(world.groups.some(({ masked }) => masked));
  });

  const masked = world.groups.flatMap((group, index) => (group.masked ? [{ ...group, index }] : []));
  // A law of masks binds only those who have one; who has none is held to that by the law above.
  if (masked.length > 0) {
    it('lets an illegal action act as action 0, in every simulator', () => {
      const seen = { legal: 0, illegal: 0 };
      for (const name of names.filter((each) => !hasMemory(world, named(each)))) {
        const batches = [0, 1].map(() => {
          const batch = world.createBatch(1);
          batch.reset(0, named(name), keyFrom(4));
          return batch;
        });
        const [given, replaced] = [batches[0]!, batches[1]!];
        for (let step = 0; step < world.episodeStepsMax; step += 1) {
          const actions = drawActions(world, keyFrom(4), step);
          const legal = actions.slice();
          for (const { index, seats } of masked) {
            const count = actionCount(world, seats[0]!);
            const mask = new Uint8Array(seats.length * count).fill(9);
            given.actionMask!(index, mask);
            expect([...mask].every((bit) => bit === 0 || bit === 1)).toBe(true);
            seats.forEach((seat, place) => {
              expect(mask[place * count]).toBe(1);
              const isLegal = mask[place * count + actions[seat]!] === 1;
              if (!isLegal) legal[seat] = 0;
              if (given.external[seat] === 1) seen[isLegal ? 'legal' : 'illegal'] += 1;
            });
          }
          void given.step(actionsOf(world, actions));
          void replaced.step(actionsOf(world, legal));
          const [first, second] = [look(world, given, 0), look(world, replaced, 0)];
          expect(first.observations, name).toEqual(second.observations);
          expect(first.rewards, name).toEqual(second.rewards);
          expect(first.flags, name).toEqual(second.flags);
        }
      }
      expect(Math.min(seen.legal, seen.illegal)).toBeGreaterThan(50);
    });
  }

  const { rewardLag } = world;
  // Whether batches can tell counterfactual rewards is their own to say; who says so is held to it.
  it('has a reward lag if, and only if, its batches tell counterfactual rewards', () => {
    expect(world.createBatch(1).counterfactualRewards !== undefined).toBe(rewardLag !== undefined);
  });

  if (rewardLag !== undefined) {
    /** Steps from a step to the one whose rewards show it first. */
    const lagOf = (name: string) => {
      const delay = world.parameters.findIndex(({ path }) => path === 'perturbations.action_delay');
      return rewardLag + named(name)[delay]!;
    };

    /** Plays on from where a batch of one environment is, elsewhere. @returns the rewards of every step */
    function playedOn(name: string, from: Batch, given: readonly number[], steps: number): number[][] {
      const batch = world.createBatch(1);
      batch.reset(0, named(name), keyFrom(13));
      batch.place(0, world.startSchema.parse(from.state(0)));
      return Array.from({ length: steps }, (_, step) => {
        void batch.step(actionsOf(world, step === 0 ? [...given] : given.map(() => 0)));
        return [...batch.rewards];
      });
    }

    /** What sensible players would do from where a batch of one environment is. */
    function sensibleActions(name: string, from: Batch): number[] {
      const seats = world.groups.flatMap(({ seats: all, scriptedReference: policy = world.scriptedReference }) =>
        all.map((seat) => [seat, { kind: 'scripted', name: policy }]),
      );
      const written = { ...world.catalogue[name]!.simulator, partners: Object.fromEntries(seats) };
      const batch = world.createBatch(1);
      batch.reset(0, world.compile(world.simulatorSchema.parse(written)), keyFrom(13));
      batch.place(0, world.startSchema.parse(from.state(0)));
      void batch.step(createActions(world, 1));
      return [...batch.actions];
    }

    it('tells the rewards that would have been had a seat done nothing, and changes nothing by it', () => {
      let differing = 0;
      for (const name of names) {
        const batch = world.createBatch(1);
        batch.reset(0, named(name), keyFrom(13));
        const lag = lagOf(name);
        let isOver = false;
        for (let step = 0; step < world.episodeStepsMax && !isOver; step += 1) {
          // Random players hardly ever do what pays.
          const isSensible = step % 5 > 0;
          const actions = isSensible ? sensibleActions(name, batch) : drawActions(world, keyFrom(14), step);
          const size = actions.length / world.seatCount;
          const before = look(world, batch, 0);
          const told = [null, ...Array.from({ length: world.seatCount }, (_, seat) => seat)].map((seat) => {
            const rewards = new Float64Array(world.seatCount).fill(9);
            batch.counterfactualRewards!(seat, actionsOf(world, actions), rewards);
            const given = actions.map((action, at) => (Math.floor(at / size) === seat ? 0 : action));
            const isLate = step + lag >= world.episodeStepsMax;
            // Every third step is enough, and the last ones.
            if (step % 3 === 0 || isLate) {
              const seen = playedOn(name, batch, given, lag + 1);
              if (isLate) expect([...rewards], name).toEqual(given.slice(0, world.seatCount).map(() => 0));
              else expect([...rewards], name).toEqual(seen[lag]);
            }
            return rewards.join();
          });
          differing += told.filter((rewards) => rewards !== told[0]).length;
          expect(look(world, batch, 0), name).toEqual(before);
          void batch.step(actionsOf(world, actions));
          isOver = batch.ended[0] === 1;
        }
      }
      expect(differing).toBeGreaterThan(5);
    });

    it('shows what is done in no reward before its reward lag is over', () => {
      for (const name of names) {
        const batch = world.createBatch(1);
        batch.reset(0, named(name), keyFrom(13));
        const others = [keyFrom(15), keyFrom(16)].map((key) =>
          playedOn(name, batch, drawActions(world, key, 0), lagOf(name)),
        );
        expect(others[0], name).toEqual(others[1]);
      }
    });
  }

  it('goes on the same from a state that was told and placed', () => {
    const half = Math.floor(world.episodeStepsMax / 2);
    for (const name of names) {
      const slot = { parameters: named(name), key: keyFrom(11) };
      const [whole] = play(world, [slot]);
      const batch = world.createBatch(1);
      batch.reset(0, slot.parameters, slot.key);
      batch.place(0, world.startSchema.parse(JSON.parse(whole![half]!.state)));
      expect(look(world, batch, 0).observations, name).toEqual(whole![half]!.observations);
      for (let step = half; step < world.episodeStepsMax; step += 1) {
        void batch.step(actionsOf(world, drawActions(world, foldIn(slot.key, 99), step)));
        expect(look(world, batch, 0), name).toEqual(whole![step + 1]);
      }
    }
  });

  it('says on its card what every action and every scripted policy does', () => {
    const counts = Array.from({ length: world.seatCount }, (_, seat) => actionCount(world, seat));
    expect(family.card.actions).toHaveLength(Math.max(...counts));
    expect(Object.keys(family.card.policies).sort()).toEqual([...world.scriptedPolicies].sort());
  });

  it.each(names)('%s draws each seat once, in looks that stay, from a start inside the view', (name) => {
    const { rules } = world.simulatorSchema.parse(world.catalogue[name]!.simulator);
    const batch = world.createBatch(1);
    batch.reset(0, named(name), keyFrom(6));
    const before = look(world, batch, 0);
    const start = world.draw(batch.state(0), rules);
    expect(look(world, batch, 0)).toEqual(before);
    const { left, bottom, width, height } = world.view;
    for (const shape of start.shapes.filter(({ role }) => role === 'seat' || role === 'target')) {
      const [extentX, extentY] = extentOf(shape);
      expect(Math.min(shape.x - extentX - left, left + width - shape.x - extentX)).toBeGreaterThanOrEqual(0);
      expect(Math.min(shape.y - extentY - bottom, bottom + height - shape.y - extentY)).toBeGreaterThanOrEqual(0);
    }
    const looks = new Map<string, string>();
    for (let step = 0; step < world.episodeStepsMax; step += 1) {
      void batch.step(actionsOf(world, drawActions(world, keyFrom(6), step)));
      const { shapes } = world.draw(batch.state(0), rules);
      const seats = shapes.filter(({ role }) => role === 'seat');
      expect(seats.map(({ seat }) => seat)).toEqual(Array.from({ length: world.seatCount }, (_, seat) => seat));
      expect(seats.every(({ label }) => label !== undefined)).toBe(true);
      expect(new Set(shapes.map(({ id }) => id)).size).toBe(shapes.length);
      for (const shape of shapes) {
        expect([shape.x, shape.y].every(Number.isFinite)).toBe(true);
        expect(Math.max(...extentOf(shape))).toBeGreaterThan(0);
        expect(looksOf(shape)).toBe(looks.get(shape.id) ?? looksOf(shape));
        looks.set(shape.id, looksOf(shape));
      }
    }
  });

  it('sees the same twice', () => {
    for (const name of names) {
      const batch = world.createBatch(1);
      batch.reset(0, named(name), keyFrom(2));
      expect(look(world, batch, 0), name).toEqual(look(world, batch, 0));
    }
  });

  it('tells single and double precision the same', () => {
    const batch = world.createBatch(3);
    names.slice(-3).forEach((name, environment) => batch.reset(environment, named(name), keyFrom(environment)));
    world.groups.forEach((group, index) => {
      const double = new Float64Array(3 * group.seats.length * group.observationSize);
      const single = new Float32Array(double.length);
      batch.observe(index, double);
      batch.observe(index, single);
      expect(single).toEqual(Float32Array.from(double));
    });
  });

  it('refuses unknown keys everywhere in a simulator', () => {
    for (const part of ['partners', 'rules', 'scenarios', 'rewards', 'perturbations']) {
      expect(world.simulatorSchema.safeParse({ [part]: {} }).success, part).toBe(true);
      expect(world.simulatorSchema.safeParse({ [part]: { mistyped: 1 } }).success, part).toBe(false);
    }
    expect(world.simulatorSchema.safeParse({ mistyped: {} }).success).toBe(false);
  });
});
