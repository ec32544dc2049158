import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Batch, World } from '../contract.ts';
import { keyFrom } from '../random.ts';
import { kitchen } from './family.ts';
import { type ITEM_NAMES, ITEM_NAMES as NAMES } from './items.ts';
import { DRAWINGS } from './layouts/index.ts';
import type { Start } from './simulator-data.ts';
import { ACTION } from './state.ts';

type ItemName = (typeof ITEM_NAMES)[number];

const { stay, north, south, east, west, interact } = ACTION;
const [onion, dish, soup] = (['onion', 'dish', 'soup_ooo'] as const).map((name) => NAMES.indexOf(name));
const world = kitchen.open({});
const LAYOUT_NAMES = Object.keys(DRAWINGS);

/** One environment of a simulator, started under a key. */
function begin(simulator: unknown = {}, seed = 1, of: World = world): Batch {
  const batch = of.createBatch(1);
  batch.reset(0, of.compile(of.simulatorSchema.parse(simulator)), keyFrom(seed));
  return batch;
}

/** A kitchen in a given state; cramped_room, with its pot in row 0 and column 2, where no other layout is named. */
function placed(start: Readonly<Record<string, unknown>>, simulator: unknown = {}, seed = 1): Batch {
  const batch = begin(simulator, seed);
  const players = [
    [2, 1, 'north', 'nothing'],
    [1, 3, 'north', 'nothing'],
  ];
  batch.place(0, world.startSchema.parse({ layout: 'cramped_room', players, ...start }));
  return batch;
}

const stateOf = (batch: Batch) => batch.state(0) as Start;

function step(batch: Batch, ...actions: number[]): Start {
  void batch.step(Int32Array.from(actions));
  return stateOf(batch);
}

/** The first issue of what is refused: where, and what is said. */
function complaint(schema: Pick<World['startSchema'], 'safeParse'>, written: unknown): string {
  const { error } = schema.safeParse(written);
  return error === undefined ? 'accepted' : `${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`;
}

const scripted = (name: string, numbers: object = {}) => ({ kind: 'scripted', name, ...numbers });
const beforePot = (held: ItemName) => [1, 2, 'north', held] as const;
const aside = [2, 3, 'south', 'nothing'] as const;

describe('layouts', () => {
  const corridor = ['XXOTXXX', 'P 1 2 S', 'XDXXXXX'];

  it('of a spec stand after the built-in ones, and are named or numbered in simulators', () => {
    const own = kitchen.open({ layouts: { b: corridor, a: corridor }, layout: 'a' });
    expect(own.simulatorSchema.parse({}).scenarios['layout']).toBe(LAYOUT_NAMES.length);
    for (const layout of ['b', LAYOUT_NAMES.length + 1]) {
      const parsed = own.simulatorSchema.parse({ scenarios: { layout } });
      expect(parsed.scenarios['layout']).toBe(LAYOUT_NAMES.length + 1);
      expect(stateOf(begin(parsed, 1, own)).players.map(([row, column]) => [row, column])).toEqual([
        [1, 2],
        [1, 4],
      ]);
    }
    expect(own.parameters.find(({ path }) => path === 'scenarios.layout')).toMatchObject({
      kind: 'integer',
      low: 0,
      high: LAYOUT_NAMES.length + 1,
    });
  });

  it.each<[unknown, RegExp]>([
    [{ layouts: { mine: ['XXX', 'X1X'] } }, /^layouts.mine: Expected 3 to 15 rows/],
    [{ layouts: { mine: [...corridor.slice(0, 2), 'XDXX'] } }, /^layouts.mine.2: Expected 7 characters/],
    [{ layouts: { mine: ['XXOTXXX', 'P 1 2 Z', 'XDXXXXX'] } }, /^layouts.mine.1: "Z" stands for nothing/],
    [{ layouts: { mine: ['XXOTXXX', 'P 1 2 S', 'XD XXXX'] } }, /^layouts.mine.2: The border has a gap/],
    [{ layouts: { mine: ['XXOTXXX', 'P 1 2  ', 'XDXSXXX'] } }, /^layouts.mine.1: The border has a gap/],
    [{ layouts: { mine: ['XXOTXXX', 'P 1 1 S', 'XDXXXXX'] } }, /^layouts.mine: Expected "1" once, found it 2 times/],
    [{ layouts: { mine: ['XXOTXXX', 'X 1 2 S', 'XDXXXXX'] } }, /^layouts.mine: There is no "P" \(pot\)/],
    [{ layouts: { mine: ['XXXXXXX', 'P 1 2 S', 'XDXXXXX'] } }, /^layouts.mine: There is neither "O"/],
    [{ layouts: { cramped_room: corridor } }, /^layouts.cramped_room: A built-in layout has this name/],
    [{ layout: 'cramped' }, /^layout: There is no layout "cramped"; there are cramped_room/],
  ])('%j is refused, and why is said', (options, expected) => {
    expect(complaint(kitchen.optionsSchema, options)).toMatch(expected);
  });
});

describe('starts', () => {
  const cooks = (one: unknown[], other: unknown[]) => ({ layout: 'cramped_room', players: [one, other] });
  const good = [
    [1, 1, 0, 0],
    [1, 2, 0, 0],
  ] as const;

  it.each<[object, RegExp]>([
    [cooks([0, 1, 0, 0], [1, 2, 0, 0]), /players.0: Row 0, column 1 of cramped_room is no floor/],
    [cooks([1, 2, 0, 0], [1, 2, 0, 0]), /players.1: Another cook stands here/],
    [cooks([1, 1, 'up', 0], [1, 2, 0, 0]), /players.0.2: Expected one of north, south, east, west/],
    [{ ...cooks([...good[0]], [...good[1]]), objects: [[1, 3, 'onion', 0]] }, /objects.0: Things lie on counters/],
    [{ ...cooks([...good[0]], [...good[1]]), objects: [[0, 2, 'onion', 0]] }, /objects.0: A pot holds soups only/],
    [{ ...cooks([...good[0]], [...good[1]]), objects: [[0, 1, 'onion', 3]] }, /objects.0: Only what is in a pot cooks/],
    [{ ...cooks([...good[0]], [...good[1]]), objects: [[0, 1, 'nothing', 0]] }, /objects.0: Nothing cannot lie/],
    [{ players: good }, /layout: /],
  ])('%j is refused, in a simulator and alone', (start, expected) => {
    expect(complaint(world.startSchema, start)).toMatch(expected);
    expect(complaint(world.simulatorSchema, { scenarios: { start } })).toMatch(expected);
  });

  it('are those of the drawing, or exactly the given one, whatever layout is named beside', () => {
    const start = {
      layout: 'coordination_ring',
      players: [
        [1, 1, 2, onion],
        [3, 3, 1, soup],
      ],
      objects: [
        [0, 3, NAMES.indexOf('soup_oo'), 0],
        [2, 2, dish, 0],
      ],
    };
    const told = stateOf(begin({ scenarios: { layout: 'cramped_room', start } }));
    expect(told).toMatchObject({ ...start, layout: LAYOUT_NAMES.indexOf('coordination_ring'), step: 0, soups: 0 });
  });

  it('are drawn as large as their layout, and the layout is all that is shown', () => {
    const { view, shapes } = world.draw(begin({ scenarios: { layout: 'cramped_room' } }).state(0), {});
    const edges = shapes.flatMap(({ x, y }) => [x, view!.width - x, y - view!.bottom, view!.bottom + view!.height - y]);
    expect(view).toMatchObject({ width: 5, height: 4 });
    expect(Math.min(...edges)).toBeGreaterThan(0);
  });

  it('reach every cell that a cook can get to within `start_spread`, and no other', () => {
    const all = Array.from({ length: 300 }, (_, seed) =>
      stateOf(begin({ scenarios: { layout: 'forced_coordination', start_spread: 20 } }, seed)),
    );
    const cells = (seat: number) => new Set(all.map(({ players }) => `${players[seat]![0]} ${players[seat]![1]}`));
    expect(cells(0)).toEqual(new Set(['1 3', '2 3', '3 3']));
    expect(cells(1)).toEqual(new Set(['1 1', '2 1', '3 1']));
  });

  it('fill pots and hands as often as they say', () => {
    const share = 0.4;
    const trials = 1000;
    let [pots, hands] = [0, 0];
    for (let seed = 0; seed < trials; seed += 1) {
      const { objects, players } = stateOf(begin({ scenarios: { pots_filled: share, hands_filled: share } }, seed));
      pots += objects.length;
      hands += players.filter(([, , , held]) => held !== 0).length;
    }
    const error = Math.sqrt(share * (1 - share) * trials);
    expect(Math.abs(pots - share * trials)).toBeLessThan(4 * error);
    expect(Math.abs(hands - 2 * share * trials)).toBeLessThan(4 * Math.sqrt(2) * error);
  });

  it('are legal whatever a draw writes into the parameter vector', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 5 }),
        fc.nat(),
        (draws, seed) => {
          const vector = Float64Array.from(world.parameters, ({ low, high, kind }, index) => {
            const share = draws[index % draws.length]!;
            return kind === 'real' ? low + share * (high - low) : low + Math.floor(share * (high - low + 1));
          });
          const batch = world.createBatch(1);
          batch.reset(0, vector, keyFrom(seed));
          expect(complaint(world.startSchema, batch.state(0))).toBe('accepted');
          step(batch, interact, interact);
          expect(complaint(world.startSchema, batch.state(0))).toBe('accepted');
        },
      ),
    );
  });
});

describe('moves', () => {
  /** Where the cooks are, and look, after a step in cramped_room. */
  const after = (one: number[], other: number[], ...actions: number[]) =>
    step(placed({ players: [one, other] }), ...actions).players.map(([row, column, facing]) => [row, column, facing]);

  it.each<[string, number[], number[], number[], number[][]]>([
    ['turn a cook where it cannot go', [1, 1, 1, 0], [1, 3, 0, 0], [north, stay], [[1, 1, 0], [1, 3, 0]]], // prettier-ignore
    ['let nobody into a cell that both want', [1, 1, 0, 0], [1, 3, 0, 0], [east, west], [[1, 1, 2], [1, 3, 3]]], // prettier-ignore
    ['let nobody change places', [1, 1, 0, 0], [1, 2, 0, 0], [east, west], [[1, 1, 2], [1, 2, 3]]], // prettier-ignore
    ['let a cook follow the other', [1, 1, 0, 0], [1, 2, 0, 0], [east, east], [[1, 2, 2], [1, 3, 2]]], // prettier-ignore
    ['let nobody into the cell of one who stays', [1, 1, 0, 0], [1, 2, 0, 0], [east, north], [[1, 1, 2], [1, 2, 0]]], // prettier-ignore
  ])('%s', (_title, one, other, actions, expected) => {
    expect(after(one, other, ...actions)).toEqual(expected);
  });

  it.each<[string, number, (state: Start) => boolean]>([
    ['move_success', south, ({ players }) => players[0]![2] === 1],
    ['interact_success', interact, ({ players }) => players[0]![3] === 0],
  ])('and interactions are lost as often as `%s` says', (rule, action, hasHappened) => {
    const [success, trials] = [0.7, 1000];
    let happened = 0;
    for (let seed = 0; seed < trials; seed += 1) {
      const batch = placed({ players: [beforePot('onion'), aside] }, { rules: { [rule]: success } }, seed);
      if (hasHappened(step(batch, action, stay))) happened += 1;
    }
    expect(Math.abs(happened - success * trials)).toBeLessThan(4 * Math.sqrt(trials * success * (1 - success)));
  });
});

describe('soups', () => {
  const inPot = (name: ItemName, cooking = 0) => ({ objects: [[0, 2, name, cooking]] });

  /** Steps, after that in which a pot is turned on, until a dish takes the soup. */
  function stepsUntilReady(name: ItemName, rules: object): number {
    const batch = placed({ players: [beforePot('nothing'), aside], ...inPot(name) }, { rules });
    step(batch, interact, stay);
    for (let steps = 1; steps < 200; steps += 1) {
      const told = stateOf(batch);
      const look = placed({ ...told, players: [[...told.players[0]!.slice(0, 3), dish], told.players[1]] }, { rules });
      if (step(look, interact, stay).players[0]![3] !== dish) return steps;
      step(batch, stay, stay);
    }
    return Infinity;
  }

  it.each<[ItemName, object, number]>([
    ['soup_ooo', {}, 20],
    ['soup_o', {}, 20],
    ['soup_ooo', { cook_time: 7 }, 7],
    ['soup_oot', { cook_time: 1, onion_time: 4, tomato_time: 6 }, 15],
    ['soup_ooo', { cook_time: 0 }, 1],
    ['soup_ooo', { cook_time: 2.5 }, 3],
  ])('%s cooks under %j for %i steps', (name, rules, steps) => {
    expect(stepsUntilReady(name, rules)).toBe(steps);
  });

  it('cook by themselves with `auto_cook` once they are full, and not before', () => {
    const cookingAfter = (name: ItemName, auto_cook: number) =>
      step(placed(inPot(name), { rules: { auto_cook } }), stay, stay).objects[0]![3];
    expect([cookingAfter('soup_ooo', 1), cookingAfter('soup_oo', 1), cookingAfter('soup_ooo', 0)]).toEqual([1, 0, 0]);
  });

  const serving = { players: [[2, 3, 'south', 'soup_ooo'], [1, 1, 'north', 'nothing']] }; // prettier-ignore

  it.each<[object, number[]]>([
    [{}, [10, 10]],
    [{ shared: 0 }, [20, 0]],
    [{ shared: 0.5 }, [15, 5]],
    [{ soup_ooo: 8 }, [4, 4]],
  ])('pay under %j', (rewards, expected) => {
    const batch = placed(serving, { rewards });
    expect([batch.success[0], stateOf(batch).soups]).toEqual([0, 0]);
    expect(step(batch, interact, stay)).toMatchObject({ soups: 1 });
    expect([...batch.rewards]).toEqual(expected);
    expect(batch.success[0]).toBe(1);
  });

  it('that nobody ordered pay nothing, and are no success', () => {
    const batch = placed(serving, { rewards: { soup_ooo: 0 } });
    expect(step(batch, interact, stay)).toMatchObject({ soups: 0 });
    expect([...batch.rewards, batch.success[0]]).toEqual([0, 0, 0]);
  });

  it.each<[string, Record<string, unknown>, Record<string, number>, number]>([
    ['an ingredient in a pot', { players: [beforePot('onion'), aside] }, {}, 3],
    ['a soup from its pot', { players: [beforePot('dish'), aside], ...inPot('soup_ooo', 20) }, {}, 5],
    ['with a factor', { players: [beforePot('onion'), aside] }, { shaping: 0.5 }, 1.5],
    ['nothing for either without shaping', { players: [beforePot('onion'), aside] }, { shaping: 0 }, 0],
  ])('%s pays who does it', (_title, start, rewards, expected) => {
    const batch = placed(start, { rewards });
    step(batch, interact, stay);
    expect([...batch.rewards]).toEqual([expected, 0]);
  });
});

describe('what cooks see', () => {
  const { observation, observationSize } = world.groups[0]!;

  function seen(batch: Batch, seat: number): Record<string, number[]> {
    const out = new Float64Array(2 * observationSize);
    batch.observe(0, out);
    const own = Array.from(out.subarray(seat * observationSize, (seat + 1) * observationSize));
    return Object.fromEntries(
      observation.map(({ name, offset, length }) => [name, own.slice(offset, offset + length)]),
    );
  }

  it('is the same for both seats when they change places', () => {
    const one = [1, 2, 'north', 'onion'];
    const other = [2, 3, 'east', 'dish'];
    const objects = [[0, 1, 'tomato', 0]];
    const [plain, changed] = [placed({ players: [one, other], objects }), placed({ players: [other, one], objects })];
    expect(seen(changed, 1)).toEqual(seen(plain, 0));
    expect(seen(changed, 0)).toEqual(seen(plain, 1));
  });

  it('is what is near, in rows and columns', () => {
    const batch = placed({ players: [beforePot('onion'), [2, 3, 'east', 'dish']], objects: [[0, 2, 'soup_oo', 0]] });
    expect(seen(batch, 0)).toMatchObject({
      self_faces: [1, 0, 0, 0],
      self_holds: [1, 0, 0, 0],
      self_blocked: [1, 0, 0, 0],
      self_in_front: [0, 0, 0, 0, 0, 0, 1],
      self_to_onion: [0, 0],
      self_to_dish: [2, -1],
      self_to_serving: [2, 1],
      self_pot_0_is: [1, 0, 0, 0, 0],
      self_pot_0_holds: [2, 0],
      self_to_pot_0: [-1, 0],
      self_pot_1_is: [0, 0, 0, 0, 0],
      other_holds: [0, 0, 1, 0],
      to_other: [1, 1],
      self_cell: [1, 2],
    });
  });

  it('tells of a soup that cooks what is left of its time', () => {
    const start = { players: [beforePot('dish'), aside], objects: [[0, 2, 'soup_ooo', 5]] };
    const told = seen(placed(start), 0);
    expect(told['self_pot_0_is']).toEqual([1, 0, 1, 1, 0]);
    expect(told['self_pot_0_time_left']![0]).toBeCloseTo(1 - 5 / 20, 12);
  });
});

describe('scripted partners', () => {
  const EPISODES = 20;

  /** The share of episodes with a soup, and soups of an episode, of two partners in a layout. */
  function cooked(layout: string, one: object, other: object) {
    const batch = world.createBatch(EPISODES);
    const simulator = world.simulatorSchema.parse({ scenarios: { layout }, partners: { 0: one, 1: other } });
    for (let seed = 0; seed < EPISODES; seed += 1) batch.reset(seed, world.compile(simulator), keyFrom(seed));
    for (let each = 0; each < world.episodeStepsMax; each += 1) void batch.step(new Int32Array(2 * EPISODES));
    const soups = Array.from({ length: EPISODES }, (_, seed) => (batch.state(seed) as Start).soups);
    return { soups, mean: soups.reduce((sum, each) => sum + each, 0) / EPISODES };
  }

  it.each(LAYOUT_NAMES.slice(0, 5))('two greedy ones never block each other for ever in %s', (layout) => {
    const { soups, mean } = cooked(layout, scripted('greedy'), scripted('greedy'));
    expect(Math.min(...soups)).toBeGreaterThanOrEqual(5);
    expect(mean).toBeGreaterThan(7);
  });

  it('of onions only and of plates only serve soups together, and none alone', () => {
    const [onions, plates] = [scripted('onion_only'), scripted('plate_only')];
    expect(cooked('cramped_room', onions, plates).mean).toBeGreaterThan(7);
    for (const only of [onions, plates]) expect(cooked('cramped_room', only, scripted('stay')).mean).toBe(0);
    expect(cooked('cramped_room', scripted('greedy'), scripted('stay')).mean).toBeGreaterThan(7);
  });

  it('cook what is worth most', () => {
    const batch = world.createBatch(1);
    const { simulator } = world.catalogue['tomatoes']!;
    const partners = { 0: scripted('greedy'), 1: scripted('greedy') };
    batch.reset(0, world.compile(world.simulatorSchema.parse({ ...simulator, partners })), keyFrom(1));
    const best = NAMES.indexOf('soup_ot');
    const served = new Set<number>();
    let before = stateOf(batch);
    for (let each = 0; each < world.episodeStepsMax; each += 1) {
      const now = step(batch, stay, stay);
      if (now.soups > before.soups) before.players.forEach(([, , , held]) => held > dish! && served.add(held));
      before = now;
    }
    expect(served).toEqual(new Set([best]));
  });

  it('stray with probability ε, in proportion to `action_bias`', () => {
    const counts = [0, 0, 0, 0, 0, 0];
    const [epsilon, trials] = [0.4, 4000];
    const partner = scripted('stay', { epsilon, action_bias: [0, 1, 0, 0.5, 0, 0.5] });
    for (let seed = 0; seed < trials / 400; seed += 1) {
      const batch = begin({ partners: { 1: partner } }, seed);
      for (let each = 0; each < 400; each += 1) {
        step(batch, stay, stay);
        counts[batch.actions[1]!]! += 1;
      }
    }
    [0.6, 0.2, 0, 0.1, 0, 0.1].forEach((share, action) => {
      const error = Math.sqrt(share * (1 - share) * trials);
      expect(Math.abs(counts[action]! - share * trials)).toBeLessThanOrEqual(4 * error);
    });
  });
});
